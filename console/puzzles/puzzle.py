"""A puzzle: a position in which a person looks for the best move, and the day on which it is asked next.

Days follow from boxes, as in Sebastian Leitner, "So lernt man lernen" (1972): a right answer moves a puzzle
one box on, a wrong one back to the first, and each box waits twice as long as the one before.
"""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Self

from othello_lab.game import Board, Game
from othello_lab.game.records import Record
from othello_lab.game.review import Reviewed, Reviewer

LAST_BOX = 8
"""A puzzle of the first box waits a day, of the last 128."""
A_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Puzzle:
    """A position with what each of its moves is worth, and how well a person knows it."""

    record: Record
    """The game up to there, and who played it."""
    found: Reviewed
    """The judgement of its moves; its own is the one of the game, or the best where nobody has moved."""
    due: date
    """When it is asked next."""
    box: int = 1
    answered: date | None = None
    """When it was asked last; None before."""
    asked: int = 0
    missed: int = 0

    @property
    def board(self) -> Board:
        """The position."""
        return self.found.decision.board

    def judged(self, move: int) -> Reviewed:
        """Return the judgement of an answer, which must be legal."""
        return _with_move(self.found, move)

    def after(self, is_right: bool, today: date) -> Self:
        """Return the puzzle after an answer; only the first of a day counts.

        Who was wrong is asked again on the same day, until an answer is right, and on the next.
        """
        if self.answered == today:
            return replace(self, due=today + A_DAY) if is_right else self
        box = min(self.box + 1, LAST_BOX) if is_right else 1
        return replace(
            self,
            due=today + 2 ** (box - 1) * A_DAY if is_right else today,
            box=box,
            answered=today,
            asked=self.asked + 1,
            missed=self.missed + (not is_right),
        )

    @property
    def rank(self) -> tuple[bool, int, int, float]:
        """Where it stands among those of a day: the lowest box first, new ones last; then what cost most."""
        turned, lost = self.found.weight
        return self.answered is None, self.box, -turned, -lost


def _with_move(found: Reviewed, move: int) -> Reviewed:
    return found._replace(decision=found.decision._replace(move=move))


def of_mistake(record: Record, found: Reviewed, today: date) -> Puzzle:
    """Return the puzzle of a mistake in a game."""
    game = record.game.until(found.ply)
    until_then = Record(game, record.black, record.white, event=record.event, date=record.date)
    return Puzzle(until_then, found, today)


def of_endgame(game: Game, reviewer: Reviewer, today: date) -> Puzzle | None:
    """Return the puzzle of a game's last position, which the reviewer solves.

    None unless one move of several alone wins there, or alone draws where none wins.
    """
    first, *rest = game.board.legal_moves
    found = reviewer.judge(len(game.moves), game.board, first)
    best = found.decision.best
    others = {first, *rest} - {best}
    is_alone = others and all(_with_move(found, move).turned for move in others)
    return Puzzle(Record(game), _with_move(found, best), today) if is_alone else None
