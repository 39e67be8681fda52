"""Whatever says how good a position is."""
