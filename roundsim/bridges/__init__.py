"""Bridges to other people's tools: each is an extra, and imported only when it is asked for."""
