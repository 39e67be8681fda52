"""Results: matches, evaluations and tournaments, as text, as rows and as a data frame."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from othello_lab.experiment.compare.evaluate import Judgement, Trial
from othello_lab.experiment.compare.evaluate_table import explanations, table, verdicts
from othello_lab.experiment.compare.match import Summary
from othello_lab.experiment.compare.ratings import Ratings
from othello_lab.experiment.compare.tournament import tables
from othello_lab.experiment.compare.tournament.results import Results
from othello_lab.experiment.show.tables import lines
from othello_lab.experiment.show.wording import plural
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.game.play import Played
from othello_lab.game.players.short_names import short_name


class Rows(ABC):
    """A result that is a table too; its `repr` is a line, and notebooks show all of it."""

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each row, numbers as numbers."""

    def _headline(self) -> str:
        """Return the result in a few words; by default its first line."""
        return str(self).partition("\n")[0]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._headline()}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ANN401  IPython's own
        """Show in notebooks what `print` shows."""
        printer.text(str(self))

    def frame(self) -> Any:  # noqa: ANN401  a pandas.DataFrame, where there is pandas
        """Return the rows as a pandas.DataFrame; raise ImportError without pandas."""
        try:
            import pandas as pd  # type: ignore[import-untyped]  # an extra
        except ImportError:
            raise ImportError("frame() needs pandas: python -m pip install pandas; rows() does not") from None
        return pd.DataFrame(self.rows())


@dataclass(frozen=True, repr=False)
class Match(Rows):
    """The games of A against B; iterate over it for their records."""

    summary: Summary
    games: Sequence[Played]

    @property
    def opponent(self) -> str:
        """The name of B."""
        pairing = self.summary.match
        return pairing.opponent if isinstance(pairing, Trial) else short_name(pairing.b)

    @property
    def score(self) -> Estimate:
        """A's wins and half the draws as a share, `.value`, and its 95 % `.interval`."""
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
        return self.summary.text()

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each game: who had which colour, its moves, what it brought A."""
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
    """Matches of a player against many opponents; iterate over it for them, each with its `.opponent`."""

    judgements: Sequence[Judgement]
    matches: Sequence[Match]

    def __iter__(self) -> Iterator[Match]:
        return iter(self.matches)

    def __len__(self) -> int:
        return len(self.matches)

    def __getitem__(self, opponent: str) -> Match:
        """Return the match against an opponent by its name; raise KeyError."""
        return {match.opponent: match for match in self.matches}[opponent]

    def _headline(self) -> str:
        return f"{self.judgements[0].trial.agent} against {plural(len(self), 'opponent')}"

    def __str__(self) -> str:
        found = self.judgements
        return "\n".join([*lines(table(found)), "", *explanations(found), "", *verdicts([found])])

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each opponent: games, score and its interval, with either colour too."""
        return table(self.judgements).records


class TournamentGame(NamedTuple):
    """Who played a game of a tournament, and what it brought black: 1, 0.5 or 0."""

    black: str
    white: str
    points: float


@dataclass(frozen=True, repr=False)
class Tournament(Rows):
    """All games among some players, by their ratings; iterate over it for the games."""

    results: Results
    ratings: Ratings | None
    """None where no games link all players."""

    def __iter__(self) -> Iterator[TournamentGame]:
        found, names = self.results, self.results.names
        for black, white, points in zip(found.black, found.white, found.points, strict=True):
            yield TournamentGame(names[black], names[white], float(points))

    def __len__(self) -> int:
        return len(self.results.points)

    def _headline(self) -> str:
        return f"{plural(len(self.results.names), 'player')}, {plural(len(self), 'game')}"

    def __str__(self) -> str:
        return "\n".join(tables.text(self.results, self.ratings, 100, with_matrices=True))

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each player: rating and its interval, score."""
        return tables.players(self.results, self.ratings).records
