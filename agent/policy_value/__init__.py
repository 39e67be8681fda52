"""A network with a policy and a value, as AlphaZero and PPO learn it."""
