"""What strategy writers meet: what a strategy is, how one is found, and one to begin with."""
