"""Analyse the legal moves, captured squares and results of games, and the symmetry of players."""
