"""A seat for a person at a table of strategies."""
