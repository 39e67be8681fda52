"""A person as an agent of RL-Glue: sees what the environment shows, and types what to do."""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain, repeat
from math import isfinite
from typing import Final

from othello_lab.console.human_othello import OthelloSeat, board_size
from othello_lab.console.terminal import Left, Terminal
from othello_lab.game.errors import UnplayableError
from rlglue import taskspec
from rlglue.messages import answer
from rlglue.taskspec import Range, Space, Special, TaskSpec, TaskSpecError
from rlglue.types import Action, Observation

_NEVER_CHANGES = "message understood, a person decides that"


class HumanAgent:
    """Has a person decide. Nothing here ends because a person is slow."""

    def __init__(self, terminal: Terminal, size: int | None = None) -> None:
        """With a size every other board is refused."""
        self._terminal, self._size = terminal, size
        self._new_seat: Callable[[], OthelloSeat | NumbersSeat] = partial(NumbersSeat, terminal, None)
        self._seat: OthelloSeat | NumbersSeat = self._new_seat()
        self._episodes = 0
        self._is_on = False
        """Whether an episode goes on."""
        self._messages = {
            **dict.fromkeys(
                ("freeze learning", "unfreeze learning", "freeze exploring", "unfreeze exploring", "seed"),
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
            self._new_seat = partial(NumbersSeat, self._terminal, None)
            return
        size = board_size(spec)
        if self._size not in (None, size):
            found = f"plays {size}x{size}" if size else "is no Othello"
            raise UnplayableError(
                f"expected a board of {self._size}x{self._size}, but the environment {found}"
            )
        self._new_seat = partial(OthelloSeat if size else NumbersSeat, self._terminal, spec)

    def agent_start(self, observation: Observation) -> Action:
        """Return the person's first action of an episode."""
        if self._is_on:
            self._terminal.say("The experiment has cut the episode off.")
        self._episodes, self._is_on = self._episodes + 1, True
        self._terminal.say(f"\nEpisode {self._episodes}")
        self._seat = self._new_seat()
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


_LISTED: Final = 20
"""This many numbers or ranges of a kind are shown."""
_INTS: Final = Range(-(2**31), 2**31 - 1)
"""What the wire takes."""


class NumbersSeat:
    """Shows observations, and takes actions within the ranges that the task specification gives."""

    def __init__(self, terminal: Terminal, spec: TaskSpec | None) -> None:
        """Without a specification whatever is typed is sent: whole numbers as ints, others as doubles."""
        self._terminal = terminal
        self._space = spec.actions if spec else None

    def choose(self, seen: Observation) -> Action:
        """Show an observation, and return the action that the person types."""
        self._terminal.say(observation_text(seen))
        while True:
            entry = self._terminal.ask(f"action ({self._wanted()}; quit): ").strip()
            if entry.lower() in ("quit", "exit", "q"):
                raise Left("You have left.")
            try:
                return read_action(entry, self._space)
            except ValueError as error:
                self._terminal.complain(error)

    def rewarded(self, reward: float) -> None:
        """Say what the last action was worth."""
        self._terminal.say(f"reward {reward:+g}")

    def ended(self, reward: float) -> None:
        """Say what the last action was worth, and that it was the last."""
        self._terminal.say(f"reward {reward:+g}\nThe episode is over.")

    def _wanted(self) -> str:
        return "numbers" if self._space is None else wanted(self._space)


def observation_text(seen: Observation) -> str:
    """Return what is seen, in a line; of many numbers the first."""
    parts = {"ints": seen.intArray, "doubles": seen.doubleArray}
    texts = [
        f"{name} {_listed([_shown(value) for value in part])}" for name, part in parts.items() if len(part)
    ]
    if len(seen.charArray):
        texts.append(f"chars {_characters(seen.charArray)[:200]!r}")
    return f"you see: {'; '.join(texts) or 'nothing'}"


def _characters(values: Iterable[str | bytes]) -> str:
    """Return the characters of a `charArray`: bytes if it came over the wire."""
    return "".join(each.decode("latin-1") if isinstance(each, bytes) else each for each in values)


def _shown(value: float) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _listed(words: Sequence[str]) -> str:
    more = f" ... ({len(words)} in all)" if len(words) > _LISTED else ""
    return " ".join(words[:_LISTED]) + more


def wanted(space: Space) -> str:
    """Return which numbers an action is made of."""
    parts = [f"{item.count} whole {_bounds(item)}" for item in space.ints[:_LISTED]]
    parts += [f"{item.count} {_bounds(item)}" for item in space.doubles[:_LISTED]]
    parts += [f"{space.charcount} characters"] if space.charcount else []
    return ", ".join(parts) or "nothing to choose: Enter"


def _bounds(item: Range) -> str:
    low, high = ("any" if isinstance(end, Special) else str(end) for end in (item.low, item.high))
    return f"of {low} to {high}"


def read_action(text: str, space: Space | None) -> Action:
    """Read an action: its ints, its doubles, and behind them its characters; raise ValueError."""
    if space is None:
        return _read_anything(text)
    ints, count = space.int_count, space.int_count + sum(item.count for item in space.doubles)
    words = text.split(maxsplit=count)
    numbers, chars = words[:count], " ".join(words[count:])
    if len(numbers) != count or len(chars) != space.charcount:
        raise ValueError(f"expected {wanted(space)}, with spaces between")
    ranges = chain.from_iterable(repeat(item, item.count) for item in (*space.ints, *space.doubles))
    read = [
        _number(word, item, place < ints)
        for place, (word, item) in enumerate(zip(numbers, ranges, strict=True))
    ]
    action = Action()
    action.intArray, action.doubleArray, action.charArray = read[:ints], read[ints:], list(chars)
    return action


def _read_anything(text: str) -> Action:
    action, words = Action(), text.split()
    action.intArray = [_number(word, _INTS, True) for word in words if word.lstrip("+-").isdigit()]
    others = [word for word in words if not word.lstrip("+-").isdigit()]
    action.doubleArray = [_number(word, Range(Special.UNSPEC, Special.UNSPEC), False) for word in others]
    return action


def _number(word: str, item: Range, whole: bool) -> float:
    """Read a number within a range; raise ValueError."""
    kind = "whole number" if whole else "number"
    try:
        value = int(word) if whole else float(word)
    except ValueError:
        raise ValueError(f"{word[:_LISTED]!r} is no {kind}") from None
    for ends in (item, _INTS) if whole else (item,):
        if not (isfinite(value) and _is_within(value, ends)):
            raise ValueError(f"{word[:_LISTED]!r} is not within the range: expected a {kind} {_bounds(ends)}")
    return value


def _is_within(value: float, ends: Range) -> bool:
    low, high = ends.low, ends.high
    return (isinstance(low, Special) or low <= value) and (isinstance(high, Special) or value <= high)
