"""A tournament: its file, its formats, its run folder."""
