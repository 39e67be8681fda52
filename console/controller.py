"""The controller of a game: it does what a person orders and has players think. It draws and asks nothing."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final, Protocol

from othello_lab.console import card, files, reviewing, wording
from othello_lab.console.entry import Command, Order, parse_entry
from othello_lab.console.hints import Hints
from othello_lab.console.sitting import Question, Sitting
from othello_lab.console.table import Cast, Table, Wish, dismiss
from othello_lab.console.work import Failure, Work, paced
from othello_lab.game import Game, IllegalMoveError
from othello_lab.game.launching import trust
from othello_lab.game.registry import nested

SEATING: Final = "The players are being made ready ..."


class View(Protocol):
    """Whatever shows a game to a person, and is told here what happens."""

    def changed(self, *lines: str) -> None:
        """Show the game as it is now, and lines that say what happened; none where nothing new is said."""

    def start(self, work: Work[Any]) -> None:
        """Have a piece of work done."""

    def obey(self, order: Order) -> None:
        """Carry out a command: here what is only shown, such as the help; `Controller.obey` has the rest."""

    def stuck(self, name: str, why: str) -> None:
        """Ask what now: the player of this name cannot go on."""

    def refused(self, wish: Wish, why: str) -> None:
        """Ask for other players, and say why these cannot play."""

    def called(self, command: Command) -> str:
        """Return what one types, or which key one presses, for a command."""


class Controller:
    """One game after another, with those who play and who gives hints."""

    wished: Wish | None = None
    """What was asked for last, while its players are being made."""

    def __init__(self, table: Table, view: View, pace: float = 0.0) -> None:
        """A player's move takes `pace` seconds at least."""
        self.table, self._view, self._pace = table, view, pace
        self.hints = Hints(table, view.start, self.say)
        self._asked: Question | None = None
        self._said: tuple[str, ...] = ()
        self._before = table.sitting.record()
        self._left: list[str] = []
        """Lines that a person's last action left: they are shown until the next one."""

    @property
    def sitting(self) -> Sitting:
        """The game, who plays it and the clocks."""
        return self.table.sitting

    @property
    def game(self) -> Game:
        """The game as far as it is looked at."""
        return self.sitting.game

    @property
    def is_thinking(self) -> bool:
        """Whether a player thinks about its move."""
        return self._asked is not None

    def notice(self, how: str) -> str:
        """Return the last message, else whose turn it is; `how` says how a person moves."""
        found = self.hints.judged.get(self.sitting.ply)
        turn = reviewing.judged(found) if found else wording.to_move(self.sitting, how)
        seating = SEATING if self.wished else ""
        return seating or ". ".join(dict.fromkeys([*self._said, *self._left])) or turn

    def ended(self) -> list[str]:
        """Return the result of a game that is over, and its costliest move once a review has found it."""
        game, lines = self.sitting.record().game, card.result(self.sitting)
        if not game.moves:
            return lines
        review = self.hints.review(game)
        if review.failure or review.is_done:
            return [*lines, review.failure or card.costliest(self.sitting, review.found)]
        return [*lines, f"What cost most? {review.progress} are reviewed ..."]

    def say(self, *lines: str) -> None:
        """Have lines shown in place of what was said before; without any that stays."""
        self._said = lines or self._said
        self._view.changed(*lines)

    def go_on(self, *lines: str) -> None:
        """Have the side to move think, after a person's deed, and say what that was and what it has left."""
        self._left = wording.left_lines(self._before, self.sitting.record().game)
        self._proceed(*self._left, *lines)

    def _proceed(self, *lines: str) -> None:
        self._ask_no_more()
        self.hints.forget()
        self._before, self._said, complaint = self.sitting.record(), (), self.table.keep()
        question = self._asked = self.sitting.question
        if question:
            seat, answer = question.seat, partial(question.answer, lambda: question is self._asked)
            work, done = partial(paced, answer, self._pace), partial(self._answered, question)
            self._view.start(Work(f"{seat.name} is thinking", work, done, seat.player.stop))
        elif self.hints.shows_values:
            self.hints.ask()
        self.say(*lines, *complaint)

    def _ask_no_more(self) -> None:
        """Have a player that still thinks end: its move is of no use any more."""
        asked, self._asked = self._asked, None
        if asked:
            asked.seat.player.stop()

    def _answered(self, question: Question, move: int | Failure) -> None:
        if question is not self._asked:
            return
        self._asked = None
        if isinstance(move, Failure):
            self._view.stuck(question.seat.name, move.why)
        elif moves := self.sitting.accept(question, move):
            self._proceed(*wording.moved(self.sitting, moves))

    def enter(self, text: str) -> None:
        """Do what was typed, a square or a word, or say what is wrong with it."""
        try:
            entry = parse_entry(text, self.table.size)
        except ValueError as error:
            return self.say(wording.complaint(error))
        return self._view.obey(entry) if isinstance(entry, Order) else self.choose(entry)

    def obey(self, order: Order) -> None:
        """Do what changes the game or who plays it, or say why it cannot be done."""
        try:
            _ORDERS[order.command](self, order)
        except (ValueError, IndexError) as error:
            self.say(wording.complaint(error))

    def choose(self, square: int) -> None:
        """Make a person's move, or say why it cannot be made."""
        if not self.sitting.person_to_move:
            return self.say(wording.no_move_now(self.sitting, self.is_thinking, self._view.called))
        try:
            moves = self.sitting.play(square)
        except IllegalMoveError as error:
            return self.say(str(error), wording.legal_line(self.game.board))
        return self.go_on(*wording.moved(self.sitting, moves))

    def _undo(self) -> None:
        before = self.game.moves
        if not self.sitting.undo():
            return self.say("There is nothing to take back.")
        gone = before[self.sitting.ply :]
        return self.go_on(*([wording.moves_line("taken back", gone, self.table.size)] if gone else []))

    def _redo(self) -> None:
        before = self.sitting.ply
        if not self.sitting.redo():
            return self.say("There is nothing to make again.")
        return self.go_on(wording.moves_line("made again", self.game.moves[before:], self.table.size))

    def step(self, decisions: int) -> None:
        """Look at the position some decisions before or after."""
        if self.sitting.step(decisions):
            self.go_on()

    def go_to(self, ply: int) -> None:
        """Look at the position after this many moves; raise IndexError where there are fewer."""
        self.sitting.go_to(ply)
        self.go_on()

    def _drop_redo(self) -> None:
        """Play on from the position that is shown; the moves after it are left."""
        if not (self.sitting.can_redo or self.sitting.question):
            return self.say("There is nothing after this position.")
        self.sitting.drop_redo()
        return self.go_on()

    def _resign(self) -> None:
        if not self.sitting.can_resign:
            return self.say("There is nothing to resign.")
        self.sitting.resign()
        return self.go_on()

    def seat(self, wish: Wish) -> None:
        """Have others play once they are ready, which takes a while; of several wishes the last counts."""
        self.wished = wish
        make = partial(self.table.cast, wish.settings)
        self._view.start(Work("the players are being made ready", make, partial(self._seated, wish)))
        self._view.changed()

    def _seated(self, wish: Wish, cast: Cast | Failure) -> None:
        if wish is not self.wished:
            return None if isinstance(cast, Failure) else dismiss(cast)
        self.wished = None
        if isinstance(cast, Failure):
            return self._view.refused(wish, wording.complaint(cast.why))
        self.table.seat(*cast)
        return self.begin(wish.game, wish.was_brought) if wish.game else self.go_on()

    def _oppose(self, text: str, game: Game | None) -> None:
        """Have another opponent, whose text was typed, in another game if one is given."""
        trust(nested(text))
        trust([text], is_command=True)
        settings = self.table.settings
        players = {**settings.players, self.table.theirs: text}
        self.seat(Wish(replace(settings, players=players), game))

    def begin(self, game: Game, was_brought: bool = False) -> None:
        """Play this game, on a board of the same size, in place of the one until now."""
        self.hints.drop_review()
        self.table.was_brought = was_brought
        self.sitting.begin(game)
        forced = wording.moved(self.sitting, self.game.moves[len(game.moves) :])
        self.go_on(*forced)

    def _begin_anew(self, command: Command) -> None:
        """Begin a new game with the same players, with their colours changed, or against another level."""
        start = self.table.new_game(self.table.size)
        if command in card.LEVELS_UP:
            return self._oppose(card.other_level(self.table, command), start)
        if command is Command.SWAP:
            self.table.swap()
        return self.begin(start)

    def save(self, name: str, overwrite: bool = False) -> None:
        """Write the game, or a picture of the position, to a file, or say why not."""
        try:
            path = files.path_of(name)
            self.table.save(path, overwrite)
            self.say(f"saved: {path}")
        except ValueError as error:
            self.say(wording.complaint(error))

    def open(self, game: Game) -> None:
        """Go on with a game that was loaded or set up, on a board of its size."""
        if game.size == self.table.size:
            self.begin(game, was_brought=True)
        else:
            self.seat(Wish(replace(self.table.settings, size=game.size), game, was_brought=True))

    def leave(self) -> None:
        """Drop the kept game, unless a player is stuck: another may play on later."""
        if self.is_thinking or not self.sitting.question:
            self.table.place.drop()

    def close(self) -> None:
        """Let the players go; nothing comes of what they still think."""
        self._ask_no_more()
        self.wished = None
        self.hints.forget()
        self.hints.drop_review()
        self.table.close()


_ORDERS: Final[dict[Command, Callable[[Controller, Order], None]]] = {
    Command.UNDO: lambda at, _: at._undo(),
    Command.REDO: lambda at, _: at._redo(),
    Command.GOTO: lambda at, order: at.go_to(order.number),
    Command.GO: lambda at, _: at._drop_redo(),
    Command.HINT: lambda at, _: at.hints.toggle(),
    Command.MOVES: lambda at, _: at.say(wording.legal_line(at.game.board)),
    Command.OPPONENT: lambda at, order: at._oppose(order.argument, None),
    **dict.fromkeys(
        (Command.NEW, Command.SWAP, *card.LEVELS_UP), lambda at, order: at._begin_anew(order.command)
    ),
    Command.SAVE: lambda at, order: at.save(order.argument),
    Command.LOAD: lambda at, order: at.open(files.load(order.argument, size=at.table.size).game),
    Command.RESIGN: lambda at, _: at._resign(),
}
