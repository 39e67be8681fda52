"""The Othello environment: the rules and an opponent behind the messages of RL-Glue."""
