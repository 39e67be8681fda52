"""Studies: analysis of games, verdicts of the solver, and the statistics that every figure stands on."""
