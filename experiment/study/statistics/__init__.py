"""Statistics: the 95 % intervals of this program, of shares, scores, means and differences."""
