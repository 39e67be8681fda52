"""Our players as engines of other programs, over two pipes: the protocols GTP and NBoard."""
