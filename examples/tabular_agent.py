"""A tabular Q-learning agent that can save and load its table of values by position and move.

othello run --size 4 --agent 'python examples/tabular_agent.py' --episodes 5000 --name table
othello evaluate table --allow-programs
othello run --resume table --episodes 10000 --allow-programs
"""

import json
import os
from pathlib import Path

import numpy as np

from rlglue.agent.Agent import Agent
from rlglue.client import serve_agent
from rlglue.types import Action, Observation

STEP, EPSILON = 0.2, 0.1
ORDERS = "seed", "freeze", "unfreeze", "save", "load", "remove"


class TabularAgent(Agent):
    """An undiscounted Q-learning agent.

    The target of an update is the reward plus the best value of the next position, if there is one.
    """

    def __init__(self, seed: int, folder: Path) -> None:
        self.rng, self.folder = np.random.default_rng(seed), folder
        self.values: dict[str, float] = {}
        self.last = ""  # the last position and move, or "" before the first move
        self.learning = self.exploring = True

    def agent_start(self, observation: Observation) -> Action:
        """Begin an episode. The previous episode may have been cut off, so forget its last move."""
        self.last = ""
        return self.agent_step(0.0, observation)

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Learn from the last move, then choose an epsilon-greedy move."""
        own, opponent, legal, _ = np.reshape(observation.intArray, (4, -1))
        position, squares, action = "".join(map(str, own + 2 * opponent)), np.flatnonzero(legal), Action()
        action.intArray = [-1]  # a pass if there is no legal move
        if len(squares):
            moves = [f"{position} {square}" for square in squares]
            values = [self.values.get(move, 0.0) for move in moves]
            self.learn(reward + max(values))
            explores = self.exploring and self.rng.random() < EPSILON
            index = int(self.rng.integers(len(moves)) if explores else np.argmax(values))
            self.last, action.intArray = moves[index], [squares[index]]
        return action

    def agent_end(self, reward: float) -> None:
        """Learn from the result of the game."""
        self.learn(reward)

    def learn(self, target: float) -> None:
        """Update the value of the last move towards a target."""
        if self.learning and self.last:
            old = self.values.get(self.last, 0.0)
            self.values[self.last] = old + STEP * (target - old)

    def agent_message(self, message: str) -> str:
        """Handle a message, such as `save NAME`. For an unknown message, return an error."""
        order, _, word = message.partition(" ")
        path = self.folder / f"{Path(word).name}.json"  # .name prevents paths outside the folder
        if order == "seed":
            self.rng = np.random.default_rng(int(word))
        elif order in ("freeze", "unfreeze") and word in ("learning", "exploring"):
            setattr(self, word, order == "unfreeze")
        elif order == "save":
            self.folder.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"values": self.values, "random": self.rng.bit_generator.state}))
        elif order == "load" and path.exists():
            saved = json.loads(path.read_text())
            self.values, self.rng.bit_generator.state = saved["values"], saved["random"]
        elif order == "remove":
            path.unlink(missing_ok=True)
        else:
            return "\n".join(ORDERS) if order == "help" else f"error: {message} cannot be done"
        return "message understood"


if __name__ == "__main__":
    seed, folder = os.environ.get("RLGLUE_SEED", "0"), os.environ.get("RLGLUE_CHECKPOINT_DIR", "checkpoints")
    serve_agent(TabularAgent(int(seed), Path(folder)))
