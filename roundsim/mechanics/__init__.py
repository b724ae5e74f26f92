"""Rules that several games share, and only those."""
