"""Tournaments: games between all pairs of players, a database of the games, and their results."""
