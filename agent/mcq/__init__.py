"""Monte-Carlo Q-learning: a network for a board and a move learns the returns of whole games."""
