"""The display of runs: progress, tables, pictures."""
