"""One seat of a table: a person in it, what its answers are worth, and which of them cost most."""
