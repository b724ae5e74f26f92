"""What plays shards: processes of this machine, or whatever else answers the same call (`tournament.run.Workers`)."""
