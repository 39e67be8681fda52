"""The exercises of docs/lessons, and the check of an answer."""

import tomllib
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from rich.console import Console

from othello_lab.experiment.compare.match import play_match
from othello_lab.experiment.show.progress import Display
from othello_lab.experiment.study.truth import EVERYWHERE, Lines, every_game
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game.board import Colour
from othello_lab.game.catalogue import make
from othello_lab.game.openings import openings_at_most
from othello_lab.game.play import Pairing

_OPENINGS: Final = 50  # maximum number of openings in the games of an exercise


class WrongError(Exception):
    """A wrong answer. The text is a hint."""


@dataclass(frozen=True)
class Exercise:
    """A question and its right answer. An answer is words in any order, numbers, or a player."""

    question: str
    # The right answer. For a player: the range of scores by opponent, or {} for perfect play.
    right: str | Sequence[float] | Mapping[str, Sequence[float]]
    hint: str
    within: float = 0.0  # The maximum error of a number.

    @property
    def of_player(self) -> bool:
        """Whether the answer is a player."""
        return isinstance(self.right, Mapping)

    def check(self, answer: Sequence[str]) -> str:
        """Return why an answer is right. Raises WrongError for a wrong and ValueError for an invalid answer.

        An answer that is a player consists of the registry text and the board size.
        """
        if isinstance(self.right, Mapping):
            return self._check_scores(self.right, *answer) if self.right else self._check_perfect(*answer)
        if isinstance(self.right, str):
            is_right = sorted(map(str.lower, answer)) == sorted(self.right.split())
            solution = self.right
        else:
            pairs = zip(_numbers(answer, len(self.right)), self.right, strict=True)
            is_right = all(abs(number - right) <= self.within for number, right in pairs)
            solution = " and ".join(f"{right:g}" for right in self.right)
        if not is_right:
            raise WrongError(self.hint)
        return solution

    def _check_scores(self, limits: Mapping[str, Sequence[float]], text: str, size: str) -> str:
        scores = {opponent: score(text, opponent, int(size)) for opponent in limits}
        reason = "it scores " + ", ".join(f"{value:.3f} against {name}" for name, value in scores.items())
        if any(not low <= scores[opponent] <= high for opponent, (low, high) in limits.items()):
            raise WrongError(f"{reason}: {self.hint}")
        return reason

    def _check_perfect(self, text: str, size: str) -> str:
        if int(size) != EVERYWHERE:
            raise WrongError(f"it plays on {size}x{size}: train one with --size 4")
        with closing(make(text, EVERYWHERE)) as player:
            games = every_game(player, Colour.WHITE, np.random.default_rng(0))
            white = Lines.of(games, Colour.WHITE).tally
        if white.win < white.games:
            raise WrongError(f"as White it wins {white.win:,} of {white.games:,} games: {self.hint}")
        return f"White wins all {white.games:,} games that Black can choose"


def _numbers(answer: Sequence[str], count: int) -> list[float]:
    try:
        numbers = [float(text.rstrip("%")) / (100 if text.endswith("%") else 1) for text in answer]
    except ValueError:
        numbers = []
    if len(numbers) != count:
        raise ValueError(f"expected {count} number{'s' * (count > 1)}, got {' '.join(answer)!r}")
    return numbers


def score(text: str, opponent: str, size: int) -> float:
    """Return the score of a player against an opponent in the games of an exercise."""
    match = Pairing(text, opponent, size, openings_at_most(size, _OPENINGS), 1, 0)
    with Pool(1) as pool:
        summary = play_match(match, pool, Display(Console(stderr=True), 0, match.games, "game"))
    if summary.total.games < match.games:
        raise KeyboardInterrupt
    return summary.score().value


_TABLE: Final = Path(__file__).with_suffix(".toml").read_text("utf-8")
# The exercises by number, such as `2.1` for the first exercise of lesson 2.
EXERCISES: Final = {number: Exercise(**row) for number, row in tomllib.loads(_TABLE).items()}
