"""AlphaZero's way: a network that guides a search, and learns what the search found."""
