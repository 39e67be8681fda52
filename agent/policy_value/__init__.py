"""The policy-value network that PPO and AlphaZero share."""
