"""What a person sees of runs: progress, tables, pictures."""
