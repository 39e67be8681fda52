"""Matches, evaluations and tournaments of players: registry texts, objects or functions."""

from collections import Counter
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
from othello_lab.experiment.run.player_names import Named
from othello_lab.experiment.show.terminal import lines as printed
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game.play.pairing import Pairing, Played
from othello_lab.game.players.given import is_in_memory, text_of
from othello_lab.players import Openings, named, terms
from othello_lab.results import Rows


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
    size: int | None = None,
    openings: Openings = None,
    repeat: int = 1,
    seed: int = 0,
    jobs: int = 1,
    progress: bool = False,
) -> Match:
    """Have A play B from each opening with both colours, all of that `repeat` times.

    Without a size on the board of one that knows that one alone, else on 8x8. `jobs` processes change no
    game; functions and objects play in this one alone. Raises ValueError for a text, a size or an opening
    that does not exist.
    """
    found = [named(a), named(b)]
    board, lines, jobs = terms(found, size, openings, repeat, jobs)
    pairing = Pairing(found[0].text, found[1].text, board, lines, repeat, seed)
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
        return "\n".join([*printed(table(found)), "", *explanations(found), "", *verdicts([found])])

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each opponent: games, score and its interval, with either colour too."""
        return table(self.judgements).records


def evaluate(
    who: object,
    opponents: object = None,
    size: int | None = None,
    openings: Openings = None,
    repeat: int = 1,
    seed: int = 0,
    jobs: int = 1,
    progress: bool = False,
) -> Evaluation:
    """Have a player play against many kinds of opponents, by default the usual eight; else as `match`."""
    own, others = named(who), _opponents(opponents)
    board, lines, jobs = terms([own, *others.values()], size, openings, repeat, jobs)
    trials = [
        Trial(own.text, other.text, board, lines, repeat, seed, own.name, name)
        for name, other in others.items()
    ]
    judgements: list[Judgement] = []
    with Pool(jobs) as workers:
        judge(trials, played_by(workers), _terminal(progress), judgements)
    return Evaluation(judgements)


def _opponents(said: object) -> dict[str, Named]:
    """Return opponents by what to call them, the usual ones for None; one may stand alone."""
    if said is None:
        return {name: Named(text, None, name) for name, text in OPPONENTS.items()}
    found = [
        named(each) for each in (said if isinstance(said, Sequence) and not isinstance(said, str) else [said])
    ]
    short = Counter(each.name for each in found)
    return {each.name if short[each.name] == 1 else each.text: each for each in found}


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
    size: int | None = None,
    openings: Openings = None,
    repeat: int = 1,
    seed: int = 0,
    jobs: int = 1,
    progress: bool = False,
    database: str | Path | None = None,
) -> Tournament:
    """Have everybody play everybody, and rate them; `database` keeps the games and uses those that it has.

    Else as `match`. Players in memory cannot be kept: raises ValueError for one with a database.
    """
    found = [named(who) for who in players]
    board, lines, jobs = terms(found, size, openings, repeat, jobs)
    kept = [each.text for each in found if is_in_memory(each.text)]
    if database and kept:
        raise ValueError(f"{kept[0]} is known in this process alone: leave the database or this player out")
    entrants = [entrant(each.text, board) for each in found]
    check_different(entrants, board)
    plan = Plan(entrants, board, lines, repeat, seed)
    with TemporaryDirectory() as folder, Pool(jobs) as workers:
        path = Path(database or Path(folder) / "games.sqlite")
        session = play_tournament(plan, path, workers, _terminal(progress))
    results = Results.of(entrants, session.games).sorted()
    return Tournament(results, ratings_of(results))


def _terminal(progress: bool) -> Console:
    return Console(stderr=True, quiet=not progress)
