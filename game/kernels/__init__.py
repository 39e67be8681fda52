"""Everything compiled, and the one door to numba."""
