"""An Othello reinforcement-learning lab."""
