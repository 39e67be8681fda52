"""A game on a page: what browsers on this machine show, and what they may ask for."""
