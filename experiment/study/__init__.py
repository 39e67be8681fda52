"""Study results with analyses of games, the exact solver, exercises and statistics."""
