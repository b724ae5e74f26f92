"""What books claim of their games, tested by playing: `roundsim claims`."""
