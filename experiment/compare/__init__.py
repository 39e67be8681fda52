"""Compare players and runs with matches, tournaments, ratings, sweeps, and evaluations over RL-Glue."""
