"""Learning agents, and an agent for each player. Only this package imports torch."""
