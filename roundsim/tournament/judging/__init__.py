"""Judging the results: standings, verdicts, rules to stop by, differences between runs."""
