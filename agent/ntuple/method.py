"""The n-tuple network in the catalogue of learning methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.learner import Method
from agent.ntuple.config import NTupleConfig, configure, following

if TYPE_CHECKING:
    from agent.ntuple.learner import NTupleLearner

NTUPLE: Method[NTupleConfig, NTupleLearner] = Method(
    name="ntuple",
    config=NTupleConfig,
    learner="agent.ntuple.learner:NTupleLearner",
    policy="agent.ntuple.policy:NTuplePolicy",
    from_texts=configure,
    following=following,
)
"""An n-tuple network (Lucas 2007; Szubert et al. 2013), taught by TD."""
