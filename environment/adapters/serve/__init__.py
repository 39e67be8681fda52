"""`python -m environment.adapters.serve ID`: any Gymnasium environment for agents that speak RL-Glue."""
