"""What answers are worth: for a person at a seat, and for a strategy in a run."""
