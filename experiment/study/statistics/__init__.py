"""Compute 95 % intervals of shares, scores, means and differences."""
