"""Play against a person in a plain terminal, a full screen or a browser; serve players as engines."""
