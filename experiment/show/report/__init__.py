"""Reports: a run, a tournament or a file of games as one HTML file that needs nothing else."""
