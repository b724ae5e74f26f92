"""Deals played and told: by strategies, by a script, by a record; deals in a row."""
