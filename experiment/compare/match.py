"""Play and summarise matches between two players. An interrupt ends a match early."""

import time
from collections import Counter
from collections.abc import Generator, Hashable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from othello_lab.experiment.run.outcomes import Outcome, Tally
from othello_lab.experiment.show.progress import Display
from othello_lab.experiment.show.wording import begun_from, plural
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.experiment.study.statistics.units import PAIRED, Points, mean, score, units
from othello_lab.experiment.workers.pool import Workers
from othello_lab.game import Colour
from othello_lab.game.openings import digest
from othello_lab.game.play import Pairing, Played, parts, play_parts, plays_together
from othello_lab.game.short_names import short_names

# The registry text of each default opponent, by name. Each opponent supports every board size.
OPPONENTS: Mapping[str, str] = {
    "random": "random",
    "corner-greedy": "corner-greedy",
    "weights:swh": "weights:swh",
    "weights:heur": "weights:heur",
    "weights:bench": "weights:bench",
    "positional": "positional",
    "positional 4-ply": "alphabeta:depth=4,eval=positional",
    "mobility 4-ply": "alphabeta:depth=4,eval=mobility",
}
_REASONS = 5  # maximum number of printed forfeit reasons


@dataclass
class Summary:
    """The counts of a match, from the point of view of player A."""

    match: Pairing
    agent: str = ""  # The name of player A. The default is A's short name.
    opponent: str = ""
    # The tally of A's results, by A's colour.
    colours: dict[Colour, Tally] = field(default_factory=lambda: {colour: Tally() for colour in Colour})
    # The opening and A's points of each game, by A's colour.
    points: dict[Colour, list[Points]] = field(default_factory=lambda: {colour: [] for colour in Colour})
    # The opening and A's final disc difference of each game without a forfeit.
    disc_diffs: list[Points] = field(default_factory=list)
    # The number of forfeits, by side and reason.
    forfeits: dict[str, Counter[str]] = field(default_factory=lambda: {"a": Counter(), "b": Counter()})
    unlike: set[tuple[Colour, bytes]] = field(default_factory=set)  # A's colour and the moves of each game.
    seconds: float = 0.0
    games: list[Played] = field(default_factory=list)  # The games if they are kept, else empty.

    def __post_init__(self) -> None:
        names = short_names([self.match.a, self.match.b])
        self.agent, self.opponent = self.agent or names[self.match.a], self.opponent or names[self.match.b]

    def add(self, played: Played) -> None:
        """Add a finished game to the counts."""
        self.colours[played.colour].add(Outcome.of_points(played.points))
        self.unlike.add((played.colour, np.array(played.record.game.moves, np.int16).tobytes()))
        self.points[played.colour].append((played.opening, played.points))
        if played.disc_diff is not None:
            self.disc_diffs.append((played.opening, played.disc_diff))
        if forfeit := played.record.forfeit:
            self.forfeits["a" if forfeit.by is played.colour else "b"][forfeit.reason] += 1

    @property
    def total(self) -> Tally:
        """The tally of all games."""
        return sum(self.colours.values(), Tally())

    def score(self, colour: Colour | None = None) -> Estimate:
        """Return A's score with its interval, for the games with `colour` or for all games."""
        return score(chain(*self.points.values()) if colour is None else self.points[colour])

    @property
    def units(self) -> dict[Hashable, list[float]]:
        """A's points by opening. Each opening is one statistical unit."""
        return units(chain(*self.points.values()))

    @property
    def discs(self) -> Estimate | None:
        """A's mean disc difference with its interval. None if every game was forfeited."""
        return mean(self.disc_diffs) if self.disc_diffs else None

    @property
    def games_per_second(self) -> float:
        """The number of games per second."""
        return self.total.games / self.seconds if self.seconds else 0.0

    def lines(self) -> Iterator[str]:
        """Yield the result as lines of text. The first line contains the score."""
        total, names = self.total, {"a": self.agent, "b": self.opponent}
        forfeits = [(names[side], self.forfeits[side]) for side in names if self.forfeits[side]]
        counts = ", ".join(f"{plural(each.total(), 'game')} forfeited by {name}" for name, each in forfeits)
        yield f"{names['a']} {self.score()} {names['b']}{f'; {counts}' if counts else ''}"
        yield f"games     {total.games} from {begun_from(self.match.openings)}: {total}"
        if len(self.unlike) < total.games:
            yield f"different {len(self.unlike)} of them; the others are the same, move for move"
        for colour, tally in self.colours.items():
            yield f"as {colour.value}  {self.score(colour)}: {tally}"
        if self.discs:
            yield f"discs     {self.discs:+.2f} a game"
        yield "interval  95 %, over the openings: Wilson's for scores, Student's t for discs"
        yield f"speed     {self.games_per_second:,.1f} games a second"
        for name, reasons in forfeits:
            yield f"forfeits  {reasons.total()} by {name}, counted as lost:"
            yield from (f"  {count}x {reason}" for reason, count in reasons.most_common(_REASONS))
            if len(reasons) > _REASONS:
                yield f"  and {len(reasons) - _REASONS} other reasons"

    def as_json(self) -> dict[str, Any]:
        """Return the result as a JSON dictionary."""
        match = self.match
        return {
            "a": match.a,
            "b": match.b,
            "size": match.size,
            "seed": match.seed,
            "openings": len(match.openings),
            "openings_digest": digest(match.openings),
            "repeat": match.repeat,
            "unlike_games": len(self.unlike),
            "intervals": PAIRED,
            **_counts(self.total, self.score()),
            "as_black": _counts(self.colours[Colour.BLACK], self.score(Colour.BLACK)),
            "as_white": _counts(self.colours[Colour.WHITE], self.score(Colour.WHITE)),
            "mean_disc_diff": self.discs and self.discs.value,
            "forfeits": self.forfeits,
            "seconds": self.seconds,
            "games_per_second": self.games_per_second,
        }


def _counts(tally: Tally, estimate: Estimate) -> dict[str, float | list[float]]:
    return {
        "games": tally.games,
        "win": tally.win,
        "draw": tally.draw,
        "loss": tally.loss,
        "score": estimate.value,
        "score_interval": list(estimate.interval),
    }


def play(
    match: Pairing, workers: Workers, numbers: Sequence[int] | None = None
) -> Generator[Played, None, None]:
    """Play the games `numbers` (default: all) and yield them in order. Raises WorkersError and ValueError."""
    shards = parts(range(match.games) if numbers is None else numbers, plays_together(match))
    with closing(workers.in_order(partial(play_parts, match, shards), len(shards))) as played:
        for games in played:
            yield from games


def play_all(
    summaries: Sequence[Summary], workers: Workers, display: Display, keep_games: bool = False
) -> None:
    """Play and count the match of each summary, until an interrupt. Raises ValueError and WorkersError."""
    done = 0
    with suppress(KeyboardInterrupt), display:
        for summary in summaries:
            begin = time.monotonic()
            with closing(play(summary.match, workers)) as games:
                for game in games:
                    summary.add(game)
                    summary.games += [game] * keep_games
                    summary.seconds = time.monotonic() - begin
                    done += 1
                    display.advance(done, [f"{summary.opponent} {summary.total.score:.3f}"])


def play_match(match: Pairing, workers: Workers, display: Display) -> Summary:
    """Play a match until its end or an interrupt. Raises ValueError and WorkersError."""
    summary = Summary(match)
    play_all([summary], workers, display, keep_games=True)
    return summary
