"""Sandboxes for third-party code, and the guest launchers in them, which start its processes."""
