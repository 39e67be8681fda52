"""The results of matches, evaluations and tournaments, as text, as rows and as a data frame."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from othello_lab.experiment.compare.evaluate_table import explanations, table, verdicts
from othello_lab.experiment.compare.match import Summary
from othello_lab.experiment.compare.ratings import Ratings
from othello_lab.experiment.compare.tournament import tables
from othello_lab.experiment.compare.tournament.results import Results
from othello_lab.experiment.show.tables import lines
from othello_lab.experiment.show.wording import plural
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.game.play import Played


class Rows(ABC):
    """The base class of tabular results, whose `repr` is one line."""

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary for each row, with unformatted numbers."""

    def _headline(self) -> str:
        return str(self).partition("\n")[0]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._headline()}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ANN401  IPython's own
        """Show the same text as `print` (an IPython hook)."""
        printer.text(str(self))

    def frame(self) -> Any:  # noqa: ANN401  a pandas.DataFrame, if pandas is installed
        """Return the rows as a pandas.DataFrame. Raises ImportError if pandas is not installed."""
        try:
            import pandas as pd  # type: ignore[import-untyped]  # an extra
        except ImportError:
            raise ImportError("frame() needs pandas: python -m pip install pandas; rows() does not") from None
        return pd.DataFrame(self.rows())


@dataclass(frozen=True, repr=False)
class Match(Rows):
    """The games of A against B. Iteration yields the games."""

    summary: Summary

    @property
    def games(self) -> Sequence[Played]:
        """All games, in the order of play."""
        return self.summary.games

    @property
    def opponent(self) -> str:
        """The name of B."""
        return self.summary.opponent

    @property
    def score(self) -> Estimate:
        """The score of A, with its `.value` from 0 to 1 and its 95 % `.interval`. A draw is half a win."""
        return self.summary.score()

    def __iter__(self) -> Iterator[Played]:
        return iter(self.games)

    def __len__(self) -> int:
        return len(self.games)

    def __getitem__(self, number: int) -> Played:
        return self.games[number]

    def _headline(self) -> str:
        return f"{super()._headline()}, {plural(len(self), 'game')}"

    def __str__(self) -> str:
        return "\n".join(self.summary.lines())

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary for each game, with the two players, the moves and A's points."""
        return [
            {
                "black": game.record.black,
                "white": game.record.white,
                "moves": game.record.game.transcript(),
                "points": game.points,
                "disc_diff": game.disc_diff,
                "forfeit": game.record.forfeit.reason if game.record.forfeit else None,
            }
            for game in self.games
        ]


@dataclass(frozen=True, repr=False)
class Evaluation(Rows):
    """Matches of a player against many opponents. Iteration yields the matches."""

    matches: Sequence[Match]

    def __iter__(self) -> Iterator[Match]:
        return iter(self.matches)

    def __len__(self) -> int:
        return len(self.matches)

    def __getitem__(self, opponent: str) -> Match:
        """Return the match against the opponent with this name. Raises KeyError for an unknown name."""
        return {match.opponent: match for match in self.matches}[opponent]

    def _headline(self) -> str:
        return f"{self.matches[0].summary.agent} against {plural(len(self), 'opponent')}"

    def __str__(self) -> str:
        summaries = [match.summary for match in self.matches]
        return "\n".join([*lines(table(summaries)), "", *explanations(summaries), "", *verdicts([summaries])])

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each opponent, with numbers for all games and for each colour."""
        return table([match.summary for match in self.matches]).records


class TournamentGame(NamedTuple):
    """The players of a tournament game, and black's points: 1, 0.5 or 0."""

    black: str
    white: str
    points: float


@dataclass(frozen=True, repr=False)
class Tournament(Rows):
    """The games between all players, and the ratings of the players. Iteration yields the games."""

    results: Results
    ratings: Ratings | None  # The ratings, or None if the games do not connect all players.

    def __iter__(self) -> Iterator[TournamentGame]:
        results, names = self.results, self.results.names
        for black, white, points in zip(results.black, results.white, results.points, strict=True):
            yield TournamentGame(names[black], names[white], float(points))

    def __len__(self) -> int:
        return len(self.results.points)

    def _headline(self) -> str:
        return f"{plural(len(self.results.names), 'player')}, {plural(len(self), 'game')}"

    def __str__(self) -> str:
        return "\n".join(tables.text(self.results, self.ratings, 100, with_matrices=True))

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary for each player, with the rating, its interval and the score."""
        return tables.players(self.results, self.ratings).records
