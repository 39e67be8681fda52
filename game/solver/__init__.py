"""The exact solver, which finds the value and the best move of positions with few empty squares."""
