"""Training by self-play, thousands of games at once."""
