"""A game between a person and a player. The only module that prints and asks."""

import sys
from contextlib import AbstractContextManager, nullcontext, suppress

from rich.console import Console
from rich.markup import escape

from console import wording
from console.advice import advise
from console.drawing import Marks, draw, styles_for
from console.entry import Command, help_text, parse_entry
from console.opponent import Seat
from game import PASS, Colour, Game, IllegalMoveError, NotationError
from game.drawing import symbols_for, turned
from game.notation import square_name
from game.players.base import Forfeit, UnplayableError

with suppress(ImportError):  # not on Windows
    import readline  # noqa: F401  its mere presence gives input() arrows, history and editing


class _Left(Exception):  # noqa: N818  no error: the person chose to leave
    """The person left before the end; the text says how."""


class Match:
    """One game at the console: the person plays `colour`, `opponent` the other side."""

    interrupted = False
    """Whether Ctrl-C ended it."""

    def __init__(self, game: Game, colour: Colour, opponent: Seat, adviser: Seat, screen: Console) -> None:
        self.game = game
        self.colour = colour
        self.opponent = opponent
        self.adviser = adviser
        self.screen = screen
        self.symbols = symbols_for(screen.encoding)
        self.styles = styles_for(screen.color_system)
        self.names = wording.seats(colour, opponent.name)

    def play(self) -> None:
        """Play to the end or until the person leaves, and say how it ended."""
        try:
            self._start_players()
            if not self.game.board.is_over:
                self._say(wording.welcome(self.colour, self.symbols, self.opponent.name))
            while not self.game.board.is_over:
                self._turn()
            self._say_result()
        except _Left as how:
            self._say(str(how))
        except (Forfeit, UnplayableError, IllegalMoveError) as why:
            self._say(f"{why}\nThe game stops here.")
        except KeyboardInterrupt:
            self.interrupted = True
            self._say("\nInterrupted: the game stops here.")
        finally:
            self.opponent.player.close()
            self.adviser.player.close()

    def _start_players(self) -> None:
        self.opponent.player.start(self.game)
        self.adviser.player.start(self.game)

    def _turn(self) -> None:
        mine = self.game.board.turn is self.colour
        if mine:
            self._show_board()
        if self.game.board.must_pass:
            self._pass()
        elif mine:
            self._ask()
        else:
            with self._thinking(self.opponent):
                move = self.opponent.choose(self.game)
            self._say(wording.move_line(self.colour.other, self.opponent.name, move, self.game.size))
            self._play_move(move)

    def _play_move(self, move: int) -> None:
        self.game.play(move)
        self.opponent.player.observe(move)
        self.adviser.player.observe(move)

    def _pass(self) -> None:
        self._say(wording.pass_line(self.game.board.turn, self.names))
        self._play_move(PASS)

    def _ask(self) -> None:
        """Ask until the person has made a move or taken one back."""
        while True:
            try:
                entry = parse_entry(self._read(), self.game.size)
                if not isinstance(entry, Command):
                    self._play_move(entry)
                    if not self.game.board.is_over:
                        self._show_board()
                    return
                if entry is Command.UNDO and self._undo():
                    return
                self._execute(entry)
            except (NotationError, IllegalMoveError, UnicodeDecodeError) as error:
                self._say(f"{error}\n{wording.legal_line(self.game.board)}")

    def _read(self) -> str:
        try:
            # Not rich's own: readline must know the prompt, or it draws over it.
            entry = input(f"your move ({self.symbols.disc(self.colour)} {self.colour.value}): ")
        except EOFError:
            raise _Left("\nEnd of input: the game stops here.") from None
        if not sys.stdin.isatty():
            # Nobody saw it typed: written out, the record of a piped game can be read.
            self._say(entry)
        return entry

    def _execute(self, command: Command) -> None:
        match command:
            case Command.UNDO:
                self._say("There is nothing to take back: this is your first decision.")
            case Command.HINT:
                self._hint()
            case Command.MOVES:
                self._say(wording.legal_line(self.game.board))
            case Command.BOARD:
                self._show_board()
            case Command.HELP:
                self._say(help_text())
            case Command.QUIT:
                raise _Left("You left the game.")

    def _hint(self) -> None:
        with self._thinking(self.adviser):
            lines = wording.advice_lines(advise(self.adviser, self.game))
        self._say("\n".join(lines))

    def _thinking(self, seat: Seat) -> AbstractContextManager[object]:
        """Show on a terminal that somebody thinks, until it is done."""
        if not self.screen.is_terminal:
            return nullcontext()
        return self.screen.status(f"{escape(seat.name)} is thinking", spinner="line")

    def _undo(self) -> bool:
        """Go back to the person's previous decision and tell whether there was one."""
        decisions = [
            ply
            for ply, board in enumerate(self.game.boards[:-1])
            if board.turn is self.colour and board.legal_moves
        ]
        if not decisions:
            return False
        moves = self.game.moves[decisions[-1] :]
        for _ in moves:
            self.game.undo()
        self._say("taken back: " + " ".join(square_name(move, self.game.size) for move in moves))
        # A player may keep what it has seen of the game: it begins anew from here.
        self._start_players()
        return True

    def _show_board(self) -> None:
        board, boards, moves = self.game.board, self.game.boards, self.game.moves
        mine = board.turn is self.colour
        marks = Marks(moves[-1], turned(boards[-2], board), legal=mine) if moves else Marks(legal=mine)
        self.screen.print()
        self.screen.print(draw(board, self.symbols, marks, self.styles))
        self._say(wording.score_line(board, self.symbols, self.names))

    def _say_result(self) -> None:
        outcome = self.game.board.outcome()
        if outcome:
            self._show_board()
            self._say("\n".join(wording.result_lines(self.game, outcome, self.colour)))

    def _say(self, text: str) -> None:
        # Not wrapped and not read as markup: a transcript stays one line, a `[` stays a `[`. What the output
        # cannot encode (somebody typed it) is written as an escape.
        encoding = self.screen.encoding
        text = text.encode(encoding, "backslashreplace").decode(encoding)
        self.screen.print(text, soft_wrap=True, markup=False, highlight=False)
