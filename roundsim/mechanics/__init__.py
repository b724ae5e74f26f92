"""What games share, and only that."""
