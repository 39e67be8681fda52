"""The Othello environment for RL-Glue, which applies the rules and plays the moves of an opponent."""
