"""The experiment: runs episodes over RL-Glue, evaluates, and writes down what happened."""
