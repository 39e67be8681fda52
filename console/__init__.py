"""A person at the board: drawing, commands, and the game against any opponent; engines for other programs."""
