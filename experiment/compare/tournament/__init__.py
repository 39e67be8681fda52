"""Tournaments: all pairs of some players, every game kept, and what the games say."""
