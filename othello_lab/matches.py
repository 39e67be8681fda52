"""Matches, evaluations and tournaments of players: registry texts, objects or functions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console

from othello_lab.experiment.compare.judging.table import explanations, table, verdicts
from othello_lab.experiment.compare.judging.trial import OPPONENTS, Judgement, Trial, judge, played_by
from othello_lab.experiment.compare.match import Summary, play_match
from othello_lab.experiment.compare.ratings import Ratings
from othello_lab.experiment.compare.tournament import report, tables
from othello_lab.experiment.compare.tournament.entrants import check_different, entrant
from othello_lab.experiment.compare.tournament.results import Results, ratings_of
from othello_lab.experiment.compare.tournament.schedule import Plan, play_tournament
from othello_lab.experiment.show.terminal import lines
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game.openings import standard_openings
from othello_lab.game.play.pairing import Pairing, Played
from othello_lab.game.players import make
from othello_lab.game.players.base import Player
from othello_lab.game.players.given import as_player, text_of
from othello_lab.results import Rows

Openings = int | Sequence[str] | None
"""A number of the standard openings, 0 for the standard start alone, None for all; or transcripts."""


def player(who: object, size: int = 8) -> Player:
    """Return a player for boards of `size`.

    `who` is a registry text such as "level:7" or "alphabeta:depth=4,eval=positional", a Player, an object
    with `choose(game, rng)`, a function of a Board that returns a square, or one of planes, float32
    [n, 4, N, N], and legal squares, bool [n, N * N], that returns n squares. Raises RegistryError (a
    ValueError) for a text that names nobody, TypeError for what is no player.
    """
    return make(who, size) if isinstance(who, str) else as_player(who)


def play(opponent: object = "level:10", size: int = 8, colour: str = "black", plain: bool = False) -> None:
    """Have a person play at this terminal as `othello play` does, `plain` in lines of text.

    `opponent` is a player as `player` takes it, `colour` the person's: black, white or random.
    """
    from othello_lab.othello.play import command

    words = [text_of(opponent), "--size", str(size), "--colour", colour, *(["--plain"] if plain else [])]
    command.main(words, prog_name="othello play", standalone_mode=False)


@dataclass(frozen=True)
class Match(Rows):
    """The games of A against B; iterate over it for their records."""

    summary: Summary
    games: Sequence[Played]

    @property
    def score(self) -> Estimate:
        """A's wins and half the draws as a share, `.value`, and its 95 % `.interval`."""
        return self.summary.score()

    def __iter__(self) -> Iterator[Played]:
        return iter(self.games)

    def __len__(self) -> int:
        return len(self.games)

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


def match(
    a: object,
    b: object,
    size: int = 8,
    openings: Openings = None,
    repeat: int = 1,
    seed: int = 0,
    jobs: int = 1,
    progress: bool = False,
) -> Match:
    """Have A play B from each opening with both colours, all of that `repeat` times.

    `jobs` processes change no game; functions and objects play in this one alone. Raises ValueError for a
    text, a size or an opening that does not exist. Ctrl-C returns what was played.
    """
    pairing = Pairing(text_of(a), text_of(b), size, _lines(openings, size), repeat, seed)
    with Pool(jobs) as workers:
        return Match(*play_match(pairing, workers, _terminal(progress)))


@dataclass(frozen=True)
class Evaluation(Rows):
    """Matches of a player against many opponents; iterate over it for them, each with its `.summary`."""

    judgements: Sequence[Judgement]

    def __iter__(self) -> Iterator[Judgement]:
        return iter(self.judgements)

    def __getitem__(self, opponent: str) -> Summary:
        """Return the match against an opponent by its name; raise KeyError."""
        return {each.trial.opponent: each.summary for each in self.judgements}[opponent]

    def __str__(self) -> str:
        found = self.judgements
        return "\n".join([*lines(table(found)), "", *explanations(found), "", *verdicts([found])])

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each opponent: games, score and its interval, with either colour too."""
        return table(self.judgements).records


def evaluate(
    who: object,
    opponents: Sequence[object] | None = None,
    size: int = 8,
    openings: Openings = None,
    repeat: int = 1,
    seed: int = 0,
    jobs: int = 1,
    progress: bool = False,
) -> Evaluation:
    """Have a player play against many kinds of opponents, by default the usual eight; else as `match`."""
    named = OPPONENTS if opponents is None else {text: text for text in map(text_of, opponents)}
    text, own = text_of(who), _lines(openings, size)
    trials = [Trial(text, other, size, own, repeat, seed, text, name) for name, other in named.items()]
    judgements: list[Judgement] = []
    with Pool(jobs) as workers:
        judge(trials, played_by(workers), _terminal(progress), judgements)
    return Evaluation(judgements)


@dataclass(frozen=True)
class Tournament(Rows):
    """All games among some players, who stand in the order of their ratings."""

    results: Results
    ratings: Ratings | None
    """None where no games link all players."""

    def __str__(self) -> str:
        return "\n".join(report.text(self.results, self.ratings, 100, matrices=True))

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each player: rating and its interval, score."""
        return tables.players(self.results, self.ratings).records


def tournament(
    players: Sequence[object],
    size: int = 8,
    openings: Openings = None,
    repeat: int = 1,
    seed: int = 0,
    jobs: int = 1,
    progress: bool = False,
    database: str | Path | None = None,
) -> Tournament:
    """Have everybody play everybody, and rate them; `database` keeps the games and uses those that it has.

    Else as `match`.
    """
    entrants = [entrant(text_of(who), size) for who in players]
    check_different(entrants, size)
    plan = Plan(entrants, size, _lines(openings, size), repeat, seed)
    with TemporaryDirectory() as folder, Pool(jobs) as workers:
        path = Path(database or Path(folder) / "games.sqlite")
        session = play_tournament(plan, path, workers, _terminal(progress))
    results = Results.of(entrants, session.games).sorted()
    return Tournament(results, ratings_of(results))


def _lines(openings: Openings, size: int) -> tuple[str, ...]:
    if openings is None or isinstance(openings, int):
        return standard_openings(size, openings)
    return tuple(openings)


def _terminal(progress: bool) -> Console:
    return Console(stderr=True, quiet=not progress)
