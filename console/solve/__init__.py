"""`othello solve`: the exact solver at the command line."""
