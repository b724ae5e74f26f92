"""Deals played by strategies, by a script or from a record, and several deals in a row."""
