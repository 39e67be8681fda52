"""The page of `othello watch`: progress, curves, evaluations and a game of a run, read from its files."""
