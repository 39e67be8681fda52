"""The pictures of an analysis: a file for each, drawn from its tables and nothing else."""
