"""A run, or a script, gone through again without its strategies: verified, told, settled; and strategies tried."""
