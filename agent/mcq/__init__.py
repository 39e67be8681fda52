"""Monte-Carlo Q-learning: a network for (board, move) that learns the returns of whole games."""
