"""A player beside the exact solver: how many of its moves keep what can be had, and which do not."""
