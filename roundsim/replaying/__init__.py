"""Going through a finished run or a script again, without its strategies: verify, replay, settle, deals, report."""
