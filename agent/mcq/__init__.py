"""Monte-Carlo Q-learning. A network learns the return of a move on a board from whole games."""
