"""A player that asks a person at the terminal for each move."""

from typing import TYPE_CHECKING

from othello_lab.console.entry import Command, help_text, parse_entry
from othello_lab.console.terminal import Left, Terminal
from othello_lab.console.wording import YOU, legal_line, score_line
from othello_lab.game import PASS, Colour, Game, IllegalMoveError, NotationError
from othello_lab.game.notation import square_name
from othello_lab.game.players.player import Player

if TYPE_CHECKING:
    import numpy as np

_COMMANDS = (Command.MOVES, Command.BOARD, Command.HELP, Command.QUIT)


class HumanPlayer(Player):
    """A person who sees the board and types the moves, for example as an RL-Glue agent."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._shown_plies = 0
        """The number of moves of the game that the terminal has shown."""

    def start(self, game: Game) -> None:
        """Announce a new game."""
        self._shown_plies = 0
        self._terminal.say("\nA new game")

    def choose(self, game: Game, rng: "np.random.Generator") -> int:
        """Show the new moves and the board, and return the move that the person types. Raises Left."""
        you = game.board.turn
        for ply in range(self._shown_plies, len(game.moves)):
            self._terminal.say(_move_line(game, ply, you))
        self._show(game, you)
        prompt = f"your move ({self._terminal.symbols.disc(you)} {you.value}): "
        while True:
            try:
                entry = parse_entry(self._terminal.ask(prompt), game.size)
                if not isinstance(entry, int):
                    self._obey(entry.command, game)
                    continue
                after = game.until()
                after.play(entry)
            except (NotationError, IllegalMoveError) as error:
                self._terminal.complain(error)
                self._terminal.say(legal_line(game.board))
            else:
                self._show(after, you)
                self._shown_plies = len(after.moves)
                return entry

    def _obey(self, command: Command, game: Game) -> None:
        match command:
            case Command.MOVES:
                self._terminal.say(legal_line(game.board))
            case Command.BOARD:
                self._show(game, game.board.turn)
            case Command.HELP:
                self._terminal.say(help_text(_COMMANDS))
            case Command.QUIT:
                raise Left("You have left.")
            case _:
                raise NotationError(f"`{command.keyword}` cannot be done in somebody else's environment")

    def _show(self, game: Game, you: Colour) -> None:
        self._terminal.show(game, legal=game.board.turn is you)
        self._terminal.say(score_line(game.board, self._terminal.symbols, {you: YOU, you.other: "opponent"}))


def _move_line(game: Game, ply: int, you: Colour) -> str:
    if game.moves[ply] != PASS:
        return f"The opponent plays {square_name(game.moves[ply], game.size)}."
    if game.boards[ply].turn is you:
        return "You have no legal move: you pass."
    return "The opponent has no legal move: it passes."
