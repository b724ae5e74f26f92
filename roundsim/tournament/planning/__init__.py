"""Planning a tournament: its file, entrants, shards and stopping rules."""
