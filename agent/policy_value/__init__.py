"""The policy-value network for PPO and AlphaZero."""
