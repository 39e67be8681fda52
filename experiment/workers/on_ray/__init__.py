"""Work in shards on a Ray cluster."""
