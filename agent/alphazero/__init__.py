"""AlphaZero: a network that guides a search and learns its results."""
