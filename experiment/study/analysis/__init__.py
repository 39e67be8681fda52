"""Analysis of games: how many moves there are and where, what is taken, how games end, how good moves are."""
