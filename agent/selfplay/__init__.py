"""Learning from games of one's own, thousands at once."""
