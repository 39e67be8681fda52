"""Players: objects that choose a move."""
