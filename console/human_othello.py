"""A person who plays Othello against an environment: board, squares, passes, results."""

from math import isqrt

from othello_lab.console.entry import Command, help_text, parse_entry
from othello_lab.console.terminal import Left, Terminal
from othello_lab.console.wording import YOU, legal_line, score_line
from othello_lab.game import PASS, Colour, Game, IllegalMoveError, NotationError, observation
from othello_lab.game.notation import SIZES, square_name
from othello_lab.game.observation import PLANES, follow
from rlglue.errors import RequestError
from rlglue.taskspec import Range, TaskSpec
from rlglue.types import Action, Observation

COMMANDS = (Command.MOVES, Command.BOARD, Command.HELP, Command.QUIT)
"""What a person can type besides squares."""
_RETURNS = {"win": 1.0, "draw": -0.5, "loss": -1.0}
"""Of an environment that does not say which reward means what."""
_RESULTS = {"win": "you win", "draw": "a draw", "loss": "you lose"}


def board_size(spec: TaskSpec) -> int | None:
    """Return the board of a task that is Othello with our four planes; None for any other task."""
    seen, done = spec.observations, spec.actions
    size = isqrt(seen.int_count // 4)
    is_position = seen.ints == (Range(0, 1, 4 * size * size),) and not seen.doubles and not seen.charcount
    is_square = done.ints == (Range(PASS, size * size - 1),) and not done.doubles and not done.charcount
    ours = spec.extra_values().get("planes", ",".join(PLANES)) == ",".join(PLANES)
    return size if size in SIZES and is_position and is_square and ours else None


class OthelloSeat:
    """One game, of which the person sees the positions at its own turns."""

    def __init__(self, terminal: Terminal, spec: TaskSpec) -> None:
        self._terminal = terminal
        self._size = board_size(spec) or 0
        self._returns = _RETURNS | _numbers(spec.extra_values())
        self._in_discs = spec.extra_values().get("reward") == "discs"
        self._game: Game | None = None
        self._colour = Colour.BLACK

    def choose(self, seen: Observation) -> Action:
        """Return the person's move, or the pass that is forced."""
        game = self._follow(seen)
        self._colour = game.board.turn
        move = self._ask(game) if game.board.legal_moves else self._pass(game)
        action = Action()
        action.intArray = [move]
        return action

    def rewarded(self, reward: float) -> None:
        """Say what a move was worth, where that is anything before the end."""
        if reward:
            self._terminal.say(f"reward {reward:+g}")

    def ended(self, reward: float) -> None:
        """Show how the game ended, with the last position where it is known."""
        game = self._game
        if game and (last := _last_move(game)) is not None:
            self._say_move(game, last)
            game.play(last)
            self._show(game)
        meant = (reward > 0) - (reward < 0) if self._in_discs else reward
        returns = {"win": 1, "draw": 0, "loss": -1} if self._in_discs else self._returns
        results = [_RESULTS[name] for name in _RESULTS if returns[name] == meant]
        self._terminal.say(f"The game is over: {', '.join([*results[:1], f'reward {reward:+g}'])}.")

    def _follow(self, seen: Observation) -> Game:
        """Return the game up to what is seen, and say what the opponent did."""
        known, told = self._game, len(self._game.moves) if self._game else 0
        try:
            numbers = observation.checked(seen.intArray, self._size)
        except ValueError as error:
            raise RequestError(f"the environment sent no position of Othello: {error}") from None
        self._game = game = follow(known, numbers)
        if known and game is not known:
            self._terminal.say("The environment has set up another position.")
            told = 0
        for move in game.moves[told:]:
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
        """Return the move that the person types, once it is made."""
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
                self._terminal.say(help_text(COMMANDS))
            case Command.QUIT:
                raise Left("You have left.")
            case _:
                raise NotationError(f"`{command.word}` cannot be done in somebody else's environment")

    def _show(self, game: Game) -> None:
        self._terminal.show(game, legal=game.board.turn is self._colour)
        called = {self._colour: YOU, self._colour.other: "opponent"}
        self._terminal.say(score_line(game.board, self._terminal.symbols, called))


def _last_move(game: Game) -> int | None:
    """Return the opponent's move that nobody shows, where it had only this one and it ends the game."""
    moves = list(game.board.legal_moves)
    return moves[0] if len(moves) == 1 and game.board.play(moves[0]).is_over else None


def _numbers(values: dict[str, str]) -> dict[str, float]:
    """Return what the environment says that a return means, as far as it can be read."""
    found = {}
    for name in _RETURNS:
        try:
            found[name] = float(values[name])
        except (KeyError, ValueError):
            continue
    return found
