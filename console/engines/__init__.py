"""Run players as engines for other programs, in the protocols GTP and NBoard."""
