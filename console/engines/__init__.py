"""Run our players as engines for other programs, over stdin and stdout, in the protocols GTP and NBoard."""
