"""Replays of a run or a script without its strategies (verify, replay, settle), and trials of strategies."""
