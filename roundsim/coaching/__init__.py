"""The worth of answers: for a person at a seat, and for a strategy in a run."""
