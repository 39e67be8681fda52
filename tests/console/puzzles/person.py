"""A person who answers puzzles, and the puzzles of a game on 4x4."""

import io
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from pathlib import Path

from rich.console import Console

from othello_lab.console.puzzles.collection import Collection
from othello_lab.console.puzzles.puzzle import Puzzle, of_mistake
from othello_lab.console.puzzles.round import Round
from othello_lab.console.terminal import Left, Terminal
from othello_lab.game import Board, Game
from othello_lab.game.notation import square_name
from othello_lab.game.records import Record
from othello_lab.game.review import Reviewed, Reviewer
from tests.console.seated import FORCED

MONDAY = date(2026, 11, 23)


def mistakes(day: int = 0) -> list[Puzzle]:
    """Return the four mistakes of a game."""
    record = Record(Game.from_transcript(FORCED, 4), "Ann", "Bob", event="Oslo")
    found = Reviewer(4).review(record.game)
    return [of_mistake(record, each, on(day)) for each in found if each.is_mistake]


def collected(path: Path, puzzles: Iterable[Puzzle]) -> Collection:
    collection = Collection(path)
    collection.add(puzzles)
    return collection


def on(day: int) -> date:
    return MONDAY + timedelta(days=day)


class Person(Terminal):
    """Types what a function says about the position that is shown; "" is the end of input."""

    def __init__(self, says: Callable[[Board], str]) -> None:
        self._seen = io.StringIO()
        super().__init__(Console(file=self._seen, width=200))
        self._says = says
        self.shown: list[Board] = []
        """Each position that was asked."""

    @property
    def saw(self) -> str:
        """All that was printed."""
        return self._seen.getvalue()

    def show(self, game: Game, legal: bool) -> None:
        super().show(game, legal)
        self.shown.append(game.board)

    def ask(self, prompt: str, farewell: str = "") -> str:
        entry = self._says(self.shown[-1])
        if not entry:
            raise Left(farewell)
        return entry


def answered(path: Path, day: int, says: Callable[[Board], str]) -> Person:
    """Let a person answer what is due on a day, and return it."""
    person = Person(says)
    Round(Collection(path), person, on(day)).ask()
    return person


class Pupil:
    """Knows some positions; of the others it learns the move when it was wrong, and forgets it overnight."""

    def __init__(self, known: Iterable[Puzzle], others: Iterable[Puzzle]) -> None:
        self._right = {puzzle.board: best(puzzle) for puzzle in known}
        self._wrong = {puzzle.board: (worst(puzzle), best(puzzle)) for puzzle in others}
        self._told = Counter[Board]()

    def wakes(self) -> None:
        self._told.clear()

    def says(self, board: Board) -> str:
        self._told[board] += 1
        return self._right.get(board) or self._wrong[board][self._told[board] > 1]


def best(puzzle: Puzzle) -> str:
    return square_name(puzzle.found.decision.best, puzzle.board.size)


def worst(puzzle: Puzzle) -> str:
    values: dict[int, float] = puzzle.found.decision.values
    return square_name(min(values, key=values.__getitem__), puzzle.board.size)


def with_unit(found: Reviewed, unit: str, values: dict[int, float]) -> Reviewed:
    return found._replace(unit=unit, decision=found.decision._replace(values=values))
