"""An agent in 20 lines that plays random legal moves. Start this program instead of `othello agent`."""

import math
import os

import numpy as np

from rlglue.agent.Agent import Agent
from rlglue.client import serve_agent
from rlglue.scripts import configure_logging
from rlglue.types import Action, Observation


class MyAgent(Agent):
    """A random agent. The third of the four planes in an observation marks the legal squares."""

    def __init__(self, seed: int = 0) -> None:
        """Create an agent with a seeded random generator."""
        self.rng = np.random.default_rng(seed)

    def agent_start(self, observation: Observation) -> Action:
        """Return a random legal square, or -1 for a pass if there is no legal square."""
        size = math.isqrt(len(observation.intArray) // 4)
        legal = np.flatnonzero(observation.intArray[2 * size * size : 3 * size * size])
        action = Action()
        action.intArray = [self.rng.choice(legal) if len(legal) else -1]
        return action

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Return a random legal move. A learning agent would use the reward."""
        return self.agent_start(observation)


if __name__ == "__main__":
    configure_logging()
    serve_agent(MyAgent(int(os.environ.get("RLGLUE_SEED", "0"))))
