"""Deep Q-learning.

Read the files in this order: config, network, q_learning (the targets), learner (when it learns, what plays),
policy, endgame and method. Only `othello selfplay` uses selfplay. All learners share `agent.learning_agent`,
`agent.memory` (transitions, passes, n-step returns), `agent.options` (epsilon) and `agent.checkpoint`.
"""
