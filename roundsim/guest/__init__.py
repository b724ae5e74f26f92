"""What runs in a guest's process: the shim, which asks a strategy as a worker would, and its views."""
