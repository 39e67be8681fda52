"""A game between a person and a player, or between two persons, in lines of text."""

from console import card, reviewing, saving, wording
from console.advice import advise
from console.entry import Command, Order, help_text, parse_entry
from console.plain.leaving import Left, asked
from console.plain.terminal import Terminal
from console.sitting import Question, Sitting
from console.table import Table
from game import Board, Game, IllegalMoveError
from game.players.base import Forfeit, UnplayableError
from game.review import Reviewed, Reviewer
from game.solver.solver import Convention


class Match:
    """What a person at a table types, done, until the person leaves."""

    interrupted = False
    """Whether Ctrl-C ended it."""

    def __init__(self, table: Table, terminal: Terminal) -> None:
        self._table = table
        self._terminal = terminal
        self._say = terminal.say
        self._shown: object = None
        self._complained = ""
        self._reviewed: tuple[list[Board], list[Reviewed]] = [], []
        """The positions that were reviewed last, with what was found."""
        self._is_stuck = False
        """Whether the player to move could not, so that the person has to say what now."""

    @property
    def _at(self) -> Sitting:
        return self._table.sitting

    def play(self) -> None:
        """Play until the person leaves, which at the end of a game is the end of what is typed."""
        try:
            if self._at.turn:
                self._welcome()
            while True:
                self._keep()
                self._turn()
        except Left as how:
            self._say(str(how))
        except KeyboardInterrupt:
            self.interrupted = True
            self._say("\nInterrupted: the game stops here.")
        finally:
            self._table.close()

    def _welcome(self) -> None:
        self._say(wording.welcome(self._at.seats, self._terminal.symbols))

    def _turn(self) -> None:
        question = None if self._is_stuck else self._at.question
        if question and not self._at.game.moves:
            self._answer(question)
            return
        self._show_if_new()
        if question:
            self._answer(question)
        else:
            self._ask()

    def _answer(self, question: Question) -> None:
        """Have a player move."""
        seat = question.listener.seat
        try:
            move = self._terminal.wait_for(seat.name, question.answer, seat.player.stop)
        except (Forfeit, UnplayableError) as why:
            self._is_stuck = True
            self._terminal.complain(why)
            self._say(wording.STUCK)
            return
        self._say(wording.move_line(question.game.board.turn, seat.name, move, self._table.size))
        self._say_passes(self._at.accept(question, move))

    def _ask(self) -> None:
        """Take one entry of the person."""
        try:
            entry = parse_entry(self._read(), self._table.size)
            if isinstance(entry, Order):
                self._obey(entry)
            elif self._at.person_to_move:
                self._say_passes(self._at.play(entry))
            else:
                self._say(wording.no_move_now(self._at))
        except (ValueError, IndexError, Forfeit) as error:
            self._terminal.complain(error)
            if isinstance(error, IllegalMoveError):
                self._say(wording.legal_line(self._at.game.board))

    def _read(self) -> str:
        farewell = "" if self._at.turn is None else "\nEnd of input: the game stops here."
        return asked(self._terminal, wording.prompt(self._at, self._terminal.symbols), farewell)

    def _obey(self, order: Order) -> None:
        match order.command:
            case Command.HINT:
                self._hint()
            case Command.REVIEW:
                self._review()
            case Command.MOVES:
                self._say(wording.legal_line(self._at.game.board))
            case Command.BOARD:
                self._show_board()
            case Command.HELP:
                self._say(help_text())
            case Command.QUIT:
                if not self._is_stuck:  # else for another day, or another opponent
                    self._table.keeper.drop()
                raise Left("You left the game.")
            case Command.SAVE:
                self._save(order.argument)
            case _:
                self._change(order)
                self._is_stuck = False

    def _change(self, order: Order) -> None:
        match order.command:
            case Command.UNDO:
                self._undo()
            case Command.REDO:
                self._redo()
            case Command.GOTO:
                self._at.go_to(order.number)
            case Command.GO:
                self._at.drop_redo()
            case Command.NEW:
                self._begin(Game(Board.start(self._table.size)))
            case Command.LOAD:
                self._begin(saving.load(order.argument, size=self._table.size).game)
            case Command.RESIGN:
                self._at.resign()
            case _:
                self._seat(order)

    def _seat(self, order: Order) -> None:
        """Change who plays which side, in this game or with a new one."""
        match order.command:
            case Command.OPPONENT:
                self._table.oppose(order.argument)
            case Command.SWAP:
                self._table.swap()
            case _:
                self._table.oppose(card.other_level(self._table, order.command))
        if order.command is not Command.OPPONENT:
            self._begin(Game(Board.start(self._table.size)))
        self._welcome()

    def _undo(self) -> None:
        before = self._at.game.moves
        if not self._at.undo():
            self._say("There is nothing to take back: this is your first decision.")
        elif gone := before[self._at.ply :]:
            self._say(wording.moves_line("taken back", gone, self._table.size))

    def _redo(self) -> None:
        before = self._at.ply
        if not self._at.redo():
            self._say("There is nothing to make again.")
        else:
            self._say(wording.moves_line("made again", self._at.game.moves[before:], self._table.size))

    def _save(self, name: str) -> None:
        path = saving.path_of(name)
        saving.save(path, self._at.record())
        self._say(f"saved: {path}")

    def _begin(self, game: Game) -> None:
        """Go on with another game; the moves of the one until now are said, should they be missed."""
        before = self._at.record()
        self._table.begin(game)
        if left := wording.left_line(before):
            self._say(left)

    def _keep(self) -> None:
        try:
            self._table.keep()
        except OSError as error:
            self._complain_once(f"The game is not kept: {error.filename or ''}: {error.strerror or error}")

    def _complain_once(self, why: str) -> None:
        if why != self._complained:
            self._complained = why
            self._terminal.complain(why)

    def _hint(self) -> None:
        if not self._at.game.board.legal_moves:
            self._say("There is nothing to advise: the game is over.")
            return
        adviser, game = self._table.adviser.told(self._at.game), self._at.game
        found = self._terminal.wait_for(adviser.name, lambda: advise(adviser, game), adviser.player.stop)
        self._say("\n".join(wording.advice_lines(found)))

    def _review(self) -> None:
        """Say what a review finds of the game so far."""
        found = self._find()
        if found is not None:
            self._say("\n".join(reviewing.as_lines(found, Convention.DISC_DIFF)))

    def _find(self) -> list[Reviewed] | None:
        """Review the game so far, once; None where Ctrl-C ends the review, which does not end the game."""
        game = self._at.game
        if self._reviewed[0] != game.boards:
            reviewer = Reviewer(game.size)
            try:
                found = self._terminal.wait_for("the solver", lambda: [*reviewer.review(game)], reviewer.stop)
            except KeyboardInterrupt:
                self._say("\nInterrupted: the review stops here.")
                return None
            self._reviewed = list(game.boards), found
        return self._reviewed[1]

    def _say_passes(self, made: list[int]) -> None:
        """Say who had to pass after a move: the last of the moves made, where they are two."""
        if len(made) > 1:
            passed = self._at.game.boards[-2].turn
            self._say(wording.pass_line(passed, self._at.seats))

    def _show_if_new(self) -> None:
        now = self._at.game.boards[0], self._at.game.moves, self._at.resigned
        if now != self._shown:
            self._shown = now
            self._show_board()
            if self._at.turn is None:
                self._end()

    def _end(self) -> None:
        """Say what stands on the card of a game that is over."""
        self._say("\n".join(card.result(self._at)))
        found = self._find() if self._at.game.moves else None
        if found is not None:
            self._say(card.costliest(self._at, found))
        self._say(f"Next: {', '.join(choice.words for choice in card.choices(self._table))}.")

    def _show_board(self) -> None:
        self._terminal.show(self._at.game, legal=self._at.person_to_move)
        self._say(
            wording.score_line(self._at.game.board, self._terminal.symbols, wording.names(self._at.seats))
        )
