"""Othello programs of other authors as players, such as `engine:gtp-rhino -l 1`."""
