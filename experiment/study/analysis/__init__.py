"""Analysis of games: numbers and squares of legal moves, captured squares, results, symmetry of players."""
