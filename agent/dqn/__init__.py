"""Deep Q-learning. Read config, network, q_learning (the targets), learner, policy, endgame and method."""
