"""TD(lambda) in the catalogue of learning methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.learner import Method
from agent.td.config import TDConfig

if TYPE_CHECKING:
    from agent.td.learner import TDLearner

TD: Method[TDConfig, TDLearner] = Method(
    name="td", config=TDConfig, learner="agent.td.learner:TDLearner", policy="agent.td.policy:TDPolicy"
)
"""TD(lambda) on afterstates."""
