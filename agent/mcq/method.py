"""Monte-Carlo Q in the catalogue of learning methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.learner import Method
from agent.mcq.config import MCQConfig

if TYPE_CHECKING:
    from agent.mcq.learner import MCQLearner

MCQ: Method[MCQConfig, MCQLearner] = Method(
    name="mcq", config=MCQConfig, learner="agent.mcq.learner:MCQLearner", policy="agent.mcq.policy:MCQPolicy"
)
"""Monte-Carlo Q-learning (Sutton and Barto 2018, section 5.4, on-policy, every visit) with a network."""
