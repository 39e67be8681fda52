"""Learning agents, and every player as an agent. The only package that imports torch."""
