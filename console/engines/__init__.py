"""Our players as a program that others' programs talk to: the protocols GTP and NBoard over two pipes."""
