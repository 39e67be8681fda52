"""Games over RL-Glue: the loop, outcomes, and messages to both sides."""
