"""Results of play: the line of a deal in the log, and the totals of a block, a shard and an entry."""
