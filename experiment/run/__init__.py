"""Runs: episodes over RL-Glue, training, evaluation, and the folder of a run."""
