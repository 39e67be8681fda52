"""Deep Q-learning.

Read config, network, q_learning (the targets) and learner (when it learns, what plays), then policy, endgame
and method. selfplay is for `othello selfplay` alone. Shared by all learners: `agent.learning_agent`,
`agent.memory` (transitions, passes, n-step returns), `agent.options` (epsilon) and `agent.checkpoint`.
"""
