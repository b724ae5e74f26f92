"""The code that runs in a guest: the shim, which asks a strategy as a worker would, and its views."""
