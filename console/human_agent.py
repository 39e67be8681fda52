"""A person as an RL-Glue agent. Othello is shown as a board, any other task as numbers.

There is no timeout.
"""

import json
import re
from collections.abc import Callable
from functools import partial
from itertools import chain, repeat
from math import inf, isfinite, isqrt
from typing import Final

from othello_lab.console.entry import Command, help_text, parse_entry
from othello_lab.console.terminal import Left, Terminal
from othello_lab.console.wording import YOU, legal_line, score_line
from othello_lab.game import PASS, Colour, Game, IllegalMoveError, NotationError, observation
from othello_lab.game.errors import UnplayableError
from othello_lab.game.notation import SIZES, brief, square_name
from othello_lab.game.observation import PLANES, follow
from rlglue import taskspec
from rlglue.errors import RequestError
from rlglue.messages import answer
from rlglue.taskspec import Range, Space, Special, TaskSpec, TaskSpecError
from rlglue.types import Action, Observation

_COMMANDS = (Command.MOVES, Command.BOARD, Command.HELP, Command.QUIT)
_RETURNS = {"win": 1.0, "draw": -0.5, "loss": -1.0}
"""The returns of the results, unless the task specification names other returns."""
_RESULTS = {"win": "you win", "draw": "a draw", "loss": "you lose"}
_FIXED = "message understood, a person decides that"
_MOST_LISTED: Final = 20
"""The largest number of values to print."""
_INTS: Final = -(2**31), 2**31 - 1
"""The smallest and the largest int of the protocol."""
_LONGEST: Final = 300
"""The largest number of characters of the description of an action."""


class HumanAgent:
    """An agent that asks a person for each action."""

    def __init__(self, terminal: Terminal, size: int | None = None) -> None:
        """Create the agent; if `size` is not None, it refuses tasks with another board size."""
        self._terminal, self._size = terminal, size
        self._new_seat: Callable[[], OthelloSeat | NumbersSeat] = partial(NumbersSeat, terminal, None)
        self._seat: OthelloSeat | NumbersSeat = self._new_seat()
        self._episodes = 0
        self._is_running = False
        """Whether an episode is in progress."""
        fixed = ("freeze learning", "unfreeze learning", "freeze exploring", "unfreeze exploring", "seed")
        self._messages = {
            **dict.fromkeys(fixed, lambda _: _FIXED),
            "stats": lambda _: json.dumps({"learning": False, "exploring": False}),
            "config": lambda _: json.dumps({"agent": "human"}),
        }

    def agent_init(self, task_spec: str) -> None:
        """Prepare for a task; raise UnplayableError if its board size is not the size of the agent."""
        self._episodes, self._is_running = 0, False
        try:
            spec = taskspec.parse(task_spec)
        except TaskSpecError as error:
            self._terminal.complain(f"{error}; whatever you type is sent as it is")
            self._new_seat = partial(NumbersSeat, self._terminal, None)
            return
        size = board_size(spec)
        if self._size not in (None, size):
            task = f"plays {size}x{size}" if size else "is no Othello"
            raise UnplayableError(
                f"expected a board of {self._size}x{self._size}, but the environment {task}"
            )
        self._new_seat = partial(OthelloSeat if size else NumbersSeat, self._terminal, spec)

    def agent_start(self, observation: Observation) -> Action:
        """Begin an episode, and return the action that the person chooses."""
        if self._is_running:
            self._terminal.say("The experiment has cut the episode off.")
        self._episodes, self._is_running = self._episodes + 1, True
        self._terminal.say(f"\nEpisode {self._episodes}")
        self._seat = self._new_seat()
        return self._seat.choose(observation)

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Show the reward, and return the action that the person chooses."""
        self._seat.reward(reward)
        return self._seat.choose(observation)

    def agent_end(self, reward: float) -> None:
        """Show how the episode ended."""
        self._is_running = False
        self._seat.end(reward)

    def agent_cleanup(self) -> None:
        """End the episode. Another run may follow."""
        self._is_running = False

    def agent_message(self, message: str) -> str:
        """Answer a message without asking the person. The message `help` lists all messages."""
        return answer(self._messages, message, "agent")


def board_size(spec: TaskSpec) -> int | None:
    """Return the board size of an Othello task with our four planes; None for any other task."""
    observations, actions = spec.observations, spec.actions
    size = isqrt(observations.int_count // 4)
    has_planes = observations == Space(ints=(Range(0, 1, 4 * size * size),))
    has_squares = actions == Space(ints=(Range(PASS, size * size - 1),))
    is_in_order = spec.extra_values().get("planes", ",".join(PLANES)) == ",".join(PLANES)
    return size if size in SIZES and has_planes and has_squares and is_in_order else None


class OthelloSeat:
    """One game of Othello. The person sees the board whenever it is the person's turn."""

    def __init__(self, terminal: Terminal, spec: TaskSpec) -> None:
        self._terminal = terminal
        self._size = board_size(spec) or 0
        values = spec.extra_values()
        self._is_in_discs = values.get("reward") == "discs"
        self._returns = _RETURNS | _returns_in(values)
        self._game: Game | None = None
        self._colour = Colour.BLACK

    def choose(self, observation: Observation) -> Action:
        """Ask the person for a move and return it; return a pass if there is no legal move."""
        game = self._follow(observation)
        self._colour = game.board.turn
        action = Action()
        action.intArray = [self._ask(game) if game.board.legal_moves else self._pass(game)]
        return action

    def reward(self, reward: float) -> None:
        """Print a reward received during the game, unless it is 0."""
        if reward:
            self._terminal.say(f"reward {reward:+g}")

    def end(self, reward: float) -> None:
        """Print the result, after the last position if it is known."""
        game = self._game
        if game and (move := _last_move(game)) is not None:
            self._say_move(game, move)
            game.play(move)
            self._show(game)
        sign = (reward > 0) - (reward < 0) if self._is_in_discs else reward
        returns = {"win": 1, "draw": 0, "loss": -1} if self._is_in_discs else self._returns
        results = [_RESULTS[name] for name in _RESULTS if returns[name] == sign]
        self._terminal.say(f"The game is over: {', '.join([*results[:1], f'reward {reward:+g}'])}.")

    def _follow(self, observed: Observation) -> Game:
        """Extend the game to an observation, print the opponent's moves, and return the game.

        Raises RequestError if the observation is no position of Othello.
        """
        known, ply = self._game, len(self._game.moves) if self._game else 0
        try:
            numbers = observation.checked(observed.intArray, self._size)
        except ValueError as error:
            raise RequestError(f"the environment sent no position of Othello: {error}") from None
        self._game = game = follow(known, numbers)
        if known and game is not known:
            self._terminal.say("The environment has set up another position.")
            ply = 0
        for move in game.moves[ply:]:
            self._say_move(game, move)
        return game

    def _say_move(self, game: Game, move: int) -> None:
        if move == PASS:
            self._terminal.say("The opponent has no legal move: it passes.")
        else:
            self._terminal.say(f"The opponent plays {square_name(move, game.size)}.")

    def _pass(self, game: Game) -> int:
        game.pass_if_forced()
        self._terminal.say("You have no legal move: you pass.")
        return PASS

    def _ask(self, game: Game) -> int:
        """Ask until the person types a legal move, play it, and return it."""
        self._show(game)
        prompt = f"your move ({self._terminal.symbols.disc(self._colour)} {self._colour.value}): "
        while True:
            try:
                entry = parse_entry(self._terminal.ask(prompt), game.size)
                if isinstance(entry, int):
                    game.play(entry)
                    self._show(game)
                    return entry
                self._obey(entry.command, game)
            except (NotationError, IllegalMoveError) as error:
                self._terminal.complain(error)
                self._terminal.say(legal_line(game.board))

    def _obey(self, command: Command, game: Game) -> None:
        match command:
            case Command.MOVES:
                self._terminal.say(legal_line(game.board))
            case Command.BOARD:
                self._show(game)
            case Command.HELP:
                self._terminal.say(help_text(_COMMANDS))
            case Command.QUIT:
                raise Left("You have left.")
            case _:
                raise NotationError(f"`{command.keyword}` cannot be done in somebody else's environment")

    def _show(self, game: Game) -> None:
        self._terminal.show(game, legal=game.board.turn is self._colour)
        names = {self._colour: YOU, self._colour.other: "opponent"}
        self._terminal.say(score_line(game.board, self._terminal.symbols, names))


def _last_move(game: Game) -> int | None:
    """Return the opponent's only legal move if it ends the game, since no observation shows that move."""
    moves = list(game.board.legal_moves)
    return moves[0] if len(moves) == 1 and game.board.play(moves[0]).is_over else None


def _returns_in(values: dict[str, str]) -> dict[str, float]:
    """Return the returns that a task specification gives to win, draw and loss; skip invalid ones."""
    returns = {}
    for name in _RETURNS:
        try:
            returns[name] = float(values[name])
        except (KeyError, ValueError):
            continue
    return returns


class NumbersSeat:
    """An episode of any task: it prints observations and reads actions within the ranges of the task."""

    def __init__(self, terminal: Terminal, spec: TaskSpec | None) -> None:
        """Create the episode. Without `spec` any numbers are allowed, as ints and doubles."""
        self._terminal = terminal
        self._space = spec.actions if spec else None

    def choose(self, observation: Observation) -> Action:
        """Print an observation and return the action that the person types."""
        self._terminal.say(observation_text(observation))
        while True:
            entry = self._terminal.ask(f"action ({_wanted(self._space)}; quit): ").strip()
            if entry.lower() in ("quit", "exit", "q"):
                raise Left("You have left.")
            try:
                return read_action(entry, self._space)
            except ValueError as error:
                self._terminal.complain(error)

    def reward(self, reward: float) -> None:
        """Print the reward of the last action."""
        self._terminal.say(f"reward {reward:+g}")

    def end(self, reward: float) -> None:
        """Print the last reward."""
        self._terminal.say(f"reward {reward:+g}\nThe episode is over.")


def observation_text(observation: Observation) -> str:
    """Return an observation as one line; a long list of numbers is cut."""
    texts = []
    for name, values in (("ints", observation.intArray), ("doubles", observation.doubleArray)):
        numbers = [f"{value:.6g}" if isinstance(value, float) else str(value) for value in values]
        more = f" ... ({len(numbers)} in all)" if len(numbers) > _MOST_LISTED else ""
        if numbers:
            texts.append(f"{name} {' '.join(numbers[:_MOST_LISTED])}{more}")
    characters = [  # bytes if they came over the wire
        value.decode("latin-1") if isinstance(value, bytes) else value for value in observation.charArray
    ]
    if characters:
        texts.append(f"chars {''.join(characters)[:200]!r}")
    return f"you see: {'; '.join(texts) or 'nothing'}"


def _wanted(space: Space | None) -> str:
    """Describe the numbers of an action in the syntax of task specifications."""
    if space is None:
        return "numbers"
    return brief(str(space), _LONGEST) or "nothing to choose: Enter"


def read_action(text: str, space: Space | None) -> Action:
    """Parse an action: ints, then doubles, then characters; raise ValueError if it is not in `space`."""
    action = Action()
    if space is None:
        anything, whole = Range(Special.UNSPEC, Special.UNSPEC), re.compile(r"[+-]*\d+")
        numbers = text.split()
        action.intArray = [_number(number, anything, True) for number in numbers if whole.fullmatch(number)]
        action.doubleArray = [
            _number(number, anything, False) for number in numbers if not whole.fullmatch(number)
        ]
        return action
    ints, count = space.int_count, space.int_count + sum(item.count for item in space.doubles)
    parts = text.split(maxsplit=count)
    numbers, characters = parts[:count], " ".join(parts[count:])
    if len(numbers) != count or len(characters) != space.charcount:
        raise ValueError(f"expected {_wanted(space)}, with spaces between")
    ranges = chain.from_iterable(repeat(item, item.count) for item in (*space.ints, *space.doubles))
    values = [
        _number(number, item, place < ints)
        for place, (number, item) in enumerate(zip(numbers, ranges, strict=True))
    ]
    action.intArray, action.doubleArray, action.charArray = values[:ints], values[ints:], list(characters)
    return action


def _number(text: str, item: Range, is_whole: bool) -> float:
    """Parse a number; raise ValueError if the text is no number or out of range."""
    try:
        value = int(text) if is_whole else float(text)
    except ValueError:
        kind = "whole number" if is_whole else "number"
        raise ValueError(f"{text[:_MOST_LISTED]!r} is no {kind}") from None
    low, high = _INTS if is_whole else (-inf, inf)
    low = low if isinstance(item.low, Special) else max(low, item.low)
    high = high if isinstance(item.high, Special) else min(high, item.high)
    if not (low <= value <= high and isfinite(value)):
        raise ValueError(f"{text[:_MOST_LISTED]!r} is not within the range: expected {low} to {high}")
    return value
