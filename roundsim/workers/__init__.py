"""Workers: they play shards, here on processes of this machine."""
