"""A person as an agent of RL-Glue, in any environment."""
