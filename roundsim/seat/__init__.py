"""Questions from the side of one seat: what its answers are worth."""
