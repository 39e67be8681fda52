"""Deep Q-learning.

Read the files in this order: config, network, q_learning, learner, policy, endgame, method. The file
q_learning computes the targets. The file learner decides when to learn and which network plays. The command
`othello selfplay` also uses the file selfplay. The code for all learners is in `agent.learning_agent`,
`agent.memory`, `agent.options` and `agent.checkpoint`.
"""
