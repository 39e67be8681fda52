"""Play Othello in a plain terminal, in full screen or in a browser, or run a player as an engine."""
