"""Tabular Q-learning for CartPole in the style of rlglue-py3, with a discretised state space.

    othello glue & othello gymnasium CartPole-v1 & python examples/cartpole_agent.py &

Then start any experiment. The agent answers the message `returns` with the returns of all episodes so far.
"""

import random

from rlglue.agent import AgentLoader
from rlglue.agent.Agent import Agent
from rlglue.types import Action, Observation
from rlglue.utils.TaskSpecVRLGLUE3 import TaskSpecParser

# Limits of cart position, cart speed, pole angle and pole speed. Larger values are clipped.
WIDTHS = (2.4, 3.0, 0.21, 3.0)
CELLS = (1, 3, 7, 7)
State = tuple[int, ...]


class cartpole_agent(Agent):  # noqa: N801 - the old loaders expect the name of the module
    """A tabular Q-learning agent. Epsilon, the probability of a random action, decays with each episode."""

    def agent_init(self, taskSpec: str) -> None:  # noqa: N803 - the codec's name
        """Read the discount from the task specification."""
        self.discount = TaskSpecParser(taskSpec).getDiscountFactor()
        self.values: dict[State, list[float]] = {}
        self.returns: list[float] = []
        self.random = random.Random(0)  # noqa: S311 - no secret

    def agent_start(self, observation: Observation) -> Action:
        """Begin an episode."""
        self.returns.append(0.0)
        return self._act(observation)

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Learn from a step. The target is the reward plus the discounted best value of the next state."""
        self._learn(reward, max(self._of(self._state(observation))))
        return self._act(observation)

    def agent_end(self, reward: float) -> None:
        """Learn from the end of an episode. The pole has fallen, so the reward is reduced by 100."""
        self._learn(reward - 100, 0.0)

    def agent_message(self, message: str) -> str:
        """Answer the message `returns` with the returns of all episodes so far."""
        return " ".join(map(str, self.returns)) if message == "returns" else ""

    def _learn(self, reward: float, following: float) -> None:
        values = self._of(self.state)
        values[self.action] += 0.2 * (reward + self.discount * following - values[self.action])
        self.returns[-1] += 1

    def _act(self, observation: Observation) -> Action:
        self.state = self._state(observation)
        values = self._of(self.state)
        explores = self.random.random() < 0.5 * 0.95 ** len(self.returns)
        self.action = self.random.randrange(2) if explores else values.index(max(values))
        action = Action(1)
        action.intArray[0] = self.action
        return action

    def _of(self, state: State) -> list[float]:
        return self.values.setdefault(state, [0.0, 0.0])

    def _state(self, observation: Observation) -> State:
        shares = [(x / width + 1) / 2 for x, width in zip(observation.doubleArray, WIDTHS, strict=True)]
        pairs = zip(shares, CELLS, strict=True)
        return tuple(min(max(int(share * cells), 0), cells - 1) for share, cells in pairs)


if __name__ == "__main__":
    AgentLoader.loadAgent(cartpole_agent())
