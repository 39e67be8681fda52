"""Q-learning in a table (Watkins 1989), for 4x4 boards, on which training can reach every position."""
