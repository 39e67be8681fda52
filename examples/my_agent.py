"""An agent of your own in 20 lines: a random legal move. Start it instead of `othello agent ...`."""

import math
import os

import numpy as np

from rlglue.agent.Agent import Agent
from rlglue.client import serve_agent
from rlglue.scripts import configure_logging
from rlglue.types import Action, Observation


class MyAgent(Agent):
    """The observation is four planes of size*size ints; the third marks the squares where we may move."""

    def __init__(self, seed: int = 0) -> None:
        """`seed` is that of the run: `othello run` sets RLGLUE_SEED for the agent that it starts."""
        self.rng = np.random.default_rng(seed)

    def agent_start(self, observation: Observation) -> Action:
        """Choose any legal square, or -1 (pass) when there is none."""
        size = math.isqrt(len(observation.intArray) // 4)
        legal = np.flatnonzero(observation.intArray[2 * size * size : 3 * size * size])
        action = Action()
        action.intArray = [self.rng.choice(legal) if len(legal) else -1]
        return action

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """A learner would use the reward here, and in agent_end the last one."""
        return self.agent_start(observation)


if __name__ == "__main__":
    configure_logging()
    serve_agent(MyAgent(int(os.environ.get("RLGLUE_SEED", "0"))))
