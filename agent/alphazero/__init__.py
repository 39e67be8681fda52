"""AlphaZero. A network guides a search, and learns from the results of the search."""
