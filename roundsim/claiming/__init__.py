"""The claims of the books about their games, tested by playing: `roundsim claims`."""
