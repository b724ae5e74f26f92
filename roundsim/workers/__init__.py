"""Playing shards: on processes of this machine, or on anything else that answers the same call
(`tournament.run.Workers`)."""
