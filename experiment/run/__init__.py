"""Runs: episodes over RL-Glue, evaluation and the folder of a run; `training/` carries one out."""
