"""Study results: analyse games, compare players with the solver, check exercises, and compute statistics."""
