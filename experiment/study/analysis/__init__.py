"""Analyse games: legal moves, captured squares, results, and the symmetry of players."""
