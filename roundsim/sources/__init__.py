"""The contract for strategy writers: the form of a strategy, how strategies are found, and one to start with."""
