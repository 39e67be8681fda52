"""Q-learning in a table (Watkins 1989), for 4x4 boards only: training can reach every position there."""
