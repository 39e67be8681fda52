"""Studies: analysis of games, comparison with the solver, exercises, and the statistics of all results."""
