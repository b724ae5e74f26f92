"""Bridges to third-party tools. Each is an optional extra, and is imported only when needed."""
