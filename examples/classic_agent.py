"""The random agent as it was written for rlglue-py3: these import paths still work."""

import random

from rlglue.agent import AgentLoader
from rlglue.agent.Agent import Agent
from rlglue.types import Action, Observation
from rlglue.utils.TaskSpecVRLGLUE3 import TaskSpecParser


class classic_agent(Agent):  # noqa: N801 - the loaders of old expect the name of the module
    """Plays a random legal move."""

    def agent_init(self, taskSpec: str) -> None:  # noqa: N803 - the codec's name
        """Four planes of squares are observed; the third marks the legal moves."""
        self.squares = len(TaskSpecParser(taskSpec).getIntObservations()) // 4

    def agent_start(self, observation: Observation) -> Action:
        """Choose any legal square, or -1 (pass) when there is none."""
        may_move = observation.intArray[2 * self.squares : 3 * self.squares]
        legal = [square for square in range(self.squares) if may_move[square] == 1]
        action = Action(1)
        action.intArray[0] = random.choice(legal) if legal else -1  # noqa: S311 - a game
        return action

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Learn nothing."""
        return self.agent_start(observation)


if __name__ == "__main__":
    AgentLoader.loadAgent(classic_agent())
