"""Seals: what closes round strangers' code, and the nurseries within, in which its processes are begun."""
