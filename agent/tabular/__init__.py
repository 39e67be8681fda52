"""Q-learning in a table (Watkins 1989), for the board of which every position can be met: 4x4."""
