"""Runs: episodes over RL-Glue, training, evaluation and the run folder."""
