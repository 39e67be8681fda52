"""Run episodes over RL-Glue, evaluate agents, and record the results."""
