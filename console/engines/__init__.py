"""Run players as engines for other programs, with the protocols GTP and NBoard."""
