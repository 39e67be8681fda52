"""A person as an agent of RL-Glue: sees what the environment shows, and types what to do."""

import json

from console.human.numbers import NumbersSeat
from console.human.othello import OthelloSeat, board_size
from console.plain.terminal import Terminal
from game.players.base import UnplayableError
from rlglue import taskspec
from rlglue.messages import answer
from rlglue.taskspec import TaskSpecError
from rlglue.types import Action, Observation

_NEVER_CHANGES = "message understood, a person decides that"


class HumanAgent:
    """Has a person decide. Nothing here ends because a person is slow."""

    def __init__(self, terminal: Terminal, size: int | None = None) -> None:
        """With a size every other board is refused."""
        self._terminal, self._size = terminal, size
        self._seat: OthelloSeat | NumbersSeat = NumbersSeat(terminal, None)
        self._episodes = 0
        self._is_on = False
        """Whether an episode goes on."""
        self._messages = {
            **dict.fromkeys(
                ("freeze learning", "unfreeze learning", "freeze exploring", "unfreeze exploring"),
                lambda _: _NEVER_CHANGES,
            ),
            "stats": lambda _: json.dumps({"learning": False, "exploring": False}),
            "config": lambda _: json.dumps({"agent": "human"}),
        }

    def agent_init(self, task_spec: str) -> None:
        """Say which task it is; raise UnplayableError for Othello on another board than wanted."""
        self._episodes, self._is_on = 0, False
        try:
            spec = taskspec.parse(task_spec)
        except TaskSpecError as error:
            self._terminal.complain(f"{error}; whatever you type is sent as it is")
            self._seat = NumbersSeat(self._terminal, None)
            return
        size = board_size(spec)
        if self._size not in (None, size):
            found = f"plays {size}x{size}" if size else "is no Othello"
            raise UnplayableError(
                f"expected a board of {self._size}x{self._size}, but the environment {found}"
            )
        self._seat = OthelloSeat(self._terminal, spec) if size else NumbersSeat(self._terminal, spec)

    def agent_start(self, observation: Observation) -> Action:
        """Return the person's first action of an episode."""
        if self._is_on:
            self._terminal.say("The experiment has cut the episode off.")
        self._episodes, self._is_on = self._episodes + 1, True
        self._terminal.say(f"\nEpisode {self._episodes}")
        self._seat.begin()
        return self._seat.choose(observation)

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Return the person's next action."""
        self._seat.rewarded(reward)
        return self._seat.choose(observation)

    def agent_end(self, reward: float) -> None:
        """Say how the episode ended."""
        self._is_on = False
        self._seat.ended(reward)

    def agent_cleanup(self) -> None:
        """Forget the episode; another run may follow."""
        self._is_on = False

    def agent_message(self, message: str) -> str:
        """Obey or answer a message; `help` lists them. The person is not asked."""
        return answer(self._messages, message, "agent")
