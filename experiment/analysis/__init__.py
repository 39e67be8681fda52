"""What games show: how many moves there are, where, what is taken, how it ends, how good the moves were."""
