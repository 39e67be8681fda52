"""An agent judged: matches against many opponents, in process or over RL-Glue, and their table."""
