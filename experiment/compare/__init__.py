"""Comparisons: matches, tournaments and their ratings, sweeps, and evaluations over RL-Glue."""
