"""The statistics of blocks: which entrants are better, by how much, with confidence intervals.

They use only numbers."""
