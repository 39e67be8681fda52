"""Puzzles: positions in which a person looks for the best move, asked again as days go by."""
