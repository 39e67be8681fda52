"""A person at the board: a plain terminal, a full screen, a page; and engines for other programs."""
