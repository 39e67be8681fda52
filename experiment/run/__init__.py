"""Run episodes over RL-Glue, train, evaluate, and write the run folder."""
