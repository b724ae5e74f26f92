"""A run on disk: its folder, run.toml, and the shards of the log."""
