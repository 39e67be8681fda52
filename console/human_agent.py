"""An RL-Glue agent that asks a person for each action, without a timeout."""

import json
from math import isqrt

from othello_lab.console.entry import Command, help_text, parse_entry
from othello_lab.console.terminal import Left, Terminal
from othello_lab.console.wording import YOU, legal_line, score_line
from othello_lab.game import PASS, Colour, Game, IllegalMoveError, NotationError, observation
from othello_lab.game.errors import UnplayableError
from othello_lab.game.notation import SIZES, square_name
from othello_lab.game.observation import PLANES, follow
from rlglue import taskspec
from rlglue.errors import RequestError
from rlglue.messages import answer
from rlglue.taskspec import Range, Space, TaskSpec, TaskSpecError
from rlglue.types import Action, Observation

_COMMANDS = (Command.MOVES, Command.BOARD, Command.HELP, Command.QUIT)
_RETURNS = {"win": 1.0, "draw": -0.5, "loss": -1.0}
"""The returns of the results, unless the task specification contains other returns."""
_RESULTS = {"win": "you win", "draw": "a draw", "loss": "you lose"}
_FIXED = "message understood, a person decides that"


class HumanAgent:
    """An agent that asks a person for each action."""

    def __init__(self, terminal: Terminal, size: int | None = None) -> None:
        """Create the agent. If `size` is not None, the agent rejects tasks with another board size."""
        self._terminal, self._size = terminal, size
        self._episodes = 0
        self._is_running = False
        fixed = ("freeze learning", "unfreeze learning", "freeze exploring", "unfreeze exploring", "seed")
        self._messages = {
            **dict.fromkeys(fixed, lambda _: _FIXED),
            "stats": lambda _: json.dumps({"learning": False, "exploring": False}),
            "config": lambda _: json.dumps({"agent": "human"}),
        }

    def agent_init(self, task_spec: str) -> None:
        """Prepare for a task. Raises UnplayableError if the task is not Othello or has another board size."""
        self._episodes, self._is_running = 0, False
        try:
            self._spec = taskspec.parse(task_spec)
        except TaskSpecError as error:
            raise UnplayableError(str(error)) from None
        size = board_size(self._spec)
        if size is None or self._size not in (None, size):
            board = f"a board of {self._size}x{self._size}" if self._size else "Othello"
            task = f"plays {size}x{size}" if size else "is no Othello"
            raise UnplayableError(f"expected {board}, but the environment {task}")

    def agent_start(self, observation: Observation) -> Action:
        """Begin an episode, and return the action that the person chooses."""
        if self._is_running:
            self._terminal.say("The experiment has cut the episode off.")
        self._episodes, self._is_running = self._episodes + 1, True
        self._terminal.say(f"\nEpisode {self._episodes}")
        self._seat = OthelloSeat(self._terminal, self._spec)
        return self._seat.choose(observation)

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Show the reward, and return the action that the person chooses."""
        self._seat.reward(reward)
        return self._seat.choose(observation)

    def agent_end(self, reward: float) -> None:
        """Show the result of the episode."""
        self._is_running = False
        self._seat.end(reward)

    def agent_cleanup(self) -> None:
        """End the episode. Another run may follow."""
        self._is_running = False

    def agent_message(self, message: str) -> str:
        """Answer a message without asking the person. The message `help` lists all messages."""
        return answer(self._messages, message, "agent")


def board_size(spec: TaskSpec) -> int | None:
    """Return the board size of an Othello task that uses our four planes. Return None for any other task."""
    observations, actions = spec.observations, spec.actions
    size = isqrt(observations.int_count // 4)
    has_planes = observations == Space(ints=(Range(0, 1, 4 * size * size),))
    has_squares = actions == Space(ints=(Range(PASS, size * size - 1),))
    is_in_order = spec.extra_values().get("planes", ",".join(PLANES)) == ",".join(PLANES)
    return size if size in SIZES and has_planes and has_squares and is_in_order else None


class OthelloSeat:
    """A game in which the terminal shows the board and asks a person for each move."""

    def __init__(self, terminal: Terminal, spec: TaskSpec) -> None:
        self._terminal = terminal
        self._size = board_size(spec) or 0
        values = spec.extra_values()
        self._is_in_discs = values.get("reward") == "discs"
        self._returns = _RETURNS | _returns_in(values)
        self._game: Game | None = None
        self._colour = Colour.BLACK

    def choose(self, observation: Observation) -> Action:
        """Return the person's move, or a pass if there is no legal move."""
        game = self._follow(observation)
        self._colour = game.board.turn
        action = Action()
        action.intArray = [self._ask(game) if game.board.legal_moves else self._pass(game)]
        return action

    def reward(self, reward: float) -> None:
        """Print a reward that comes during the game, unless the reward is 0."""
        if reward:
            self._terminal.say(f"reward {reward:+g}")

    def end(self, reward: float) -> None:
        """Print the result. If the last position is known, print this position first."""
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
        """Extend the game to the observed position, print the opponent's moves, and return the game."""
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
        """Ask the person until a legal move is typed, then play and return this move."""
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
    """Return the only legal move if it ends the game, because no observation shows this end."""
    moves = list(game.board.legal_moves)
    return moves[0] if len(moves) == 1 and game.board.play(moves[0]).is_over else None


def _returns_in(values: dict[str, str]) -> dict[str, float]:
    """Return the valid returns of win, draw and loss in a task specification."""
    returns = {}
    for name in _RETURNS:
        try:
            returns[name] = float(values[name])
        except (KeyError, ValueError):
            continue
    return returns
