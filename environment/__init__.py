"""The Othello environment for RL-Glue. It applies the rules and plays the moves of an opponent."""
