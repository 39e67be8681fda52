"""Play tournaments between all pairs of players, store the games, and compute the results."""
