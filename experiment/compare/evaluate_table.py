"""The tables of an evaluation, for one agent or for several agents side by side."""

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from othello_lab.experiment.compare.match import Summary
from othello_lab.experiment.run.outcomes import Tally
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.show.verdict import Met, verdict
from othello_lab.experiment.show.wording import begun_from, plural
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.experiment.study.statistics.units import DIFFERENCE, PAIRED, score_difference
from othello_lab.game import Colour

_REASONS = 2  # maximum number of printed forfeit reasons per player
_PAIR = 2  # number of agents in a table with a difference column
_NAME = 20  # minimum width of the first column, in characters
_COLUMN = 19  # minimum width of each other column


def _of_games(prefix: str, heading: str, colour: Colour | None) -> Iterator[Column[Summary]]:
    """Yield the columns for an agent's games with `colour`, or for all games if `colour` is None."""

    def tally(summary: Summary) -> Tally:
        return summary.total if colour is None else summary.colours[colour]

    def score(summary: Summary) -> Estimate:
        return summary.score(colour)

    yield Column("", lambda it: tally(it).games, key=f"{prefix}games")
    yield Column("", lambda it: tally(it).win, key=f"{prefix}win")
    yield Column("", lambda it: tally(it).draw, key=f"{prefix}draw")
    yield Column("", lambda it: tally(it).loss, key=f"{prefix}loss")
    yield Column(heading, score, "{}".format, key="")
    yield Column("", lambda it: score(it).value, key=f"{prefix}score")
    yield Column("", lambda it: score(it).interval.low, key=f"{prefix}score_low")
    yield Column("", lambda it: score(it).interval.high, key=f"{prefix}score_high")


def _forfeits(counts: Sequence[int]) -> str:
    agent, opponent = counts
    return f"{agent} / {opponent}" if opponent else str(agent)


_COLUMNS: tuple[Column[Summary], ...] = (
    Column("", lambda it: it.agent, key="agent"),
    Column("against", lambda it: it.opponent, key="opponent"),
    Column("", lambda it: it.match.a, key="a"),
    Column("", lambda it: it.match.b, key="b"),
    Column("", lambda it: it.match.size, key="size"),
    Column("", lambda it: it.match.seed, key="seed"),
    Column("", lambda it: len(it.match.openings), key="openings"),
    Column("", lambda it: it.match.repeat, key="repeat"),
    *_of_games("", "score", None),
    *_of_games("black_", "as black", Colour.BLACK),
    *_of_games("white_", "as white", Colour.WHITE),
    Column("discs", lambda it: it.discs and it.discs.value, "{:+.1f}".format, "mean_disc_diff"),
    Column("forfeits", lambda it: [it.forfeits[side].total() for side in "ab"], _forfeits, ""),
    Column("", lambda it: it.forfeits["a"].total(), key="forfeits"),
    Column("", lambda it: it.forfeits["b"].total(), key="opponent_forfeits"),
)


def table(summaries: Sequence[Summary]) -> Table:
    """Return a table with one row for each match."""
    agent, size = summaries[0].agent, summaries[0].match.size
    title = f"{agent} on {size}x{size}, {_length(summaries)}"
    forfeited = _any_forfeits(summaries)
    return Table.of(title, [it for it in _COLUMNS if forfeited or it.heading != "forfeits"], summaries)


def _any_forfeits(summaries: Iterable[Summary]) -> bool:
    return any(any(summary.forfeits.values()) for summary in summaries)


def _length(summaries: Sequence[Summary]) -> str:
    counts = {summary.total.games for summary in summaries}
    games = "to ".join(f"{count:,} " for count in sorted({min(counts), max(counts)}))
    return f"{games}games a line from {begun_from(summaries[0].match.openings)}"


def joint_tables(agents: Sequence[Sequence[Summary]], width: int) -> Iterator[Table]:
    """Yield tables of two or more agents side by side. A table is at most `width` characters wide."""
    room = max(_PAIR, (width - _NAME) // _COLUMN)
    for first in range(0, len(agents), room):
        yield _joint(agents[first : first + room], width, difference=len(agents) == _PAIR)


def _joint(agents: Sequence[Sequence[Summary]], width: int, difference: bool) -> Table:
    names = [summaries[0].agent for summaries in agents]
    room = max(_COLUMN, (width - _NAME) // (len(names) + difference)) - 1
    first_room = max(_NAME, width - (room + 1) * (len(names) + difference)) - 1
    by_opponent = [{item.opponent: item for item in summaries} for summaries in agents]
    columns = [
        Column[str]("against", lambda opponent: broken(opponent, first_room)),
        *(
            Column[str](broken(name, room), met.get, write=_marked)
            for name, met in zip(names, by_opponent, strict=True)
        ),
    ]
    if difference:
        first, second = by_opponent
        # For each common opponent, the score difference over the common openings.
        differences = {
            name: score_difference(first[name].units, second[name].units) for name in first if name in second
        }
        columns.append(Column("difference", differences.get, "{:+.3f}".format))
    opponents = dict.fromkeys(name for by_name in by_opponent for name in by_name)
    return Table.of("Scores side by side", columns, opponents)


def _marked(summary: Summary) -> str:
    return f"{summary.score()}{'*' * any(summary.forfeits.values())}"


def broken(name: str, room: int) -> str:
    """Wrap a name into lines of at most `room` characters, preferably after `:`, `,`, `=` or `/`."""
    lines = [""]
    for part in re.split(r"(?<=[:,=/])", name):
        for piece in wrap(part, room, drop_whitespace=False):
            if len(lines[-1] + piece) <= room:
                lines[-1] += piece
            else:
                lines.append(piece)
    return "\n".join(filter(None, lines))


def explanations(summaries: Sequence[Summary]) -> Iterator[str]:
    """Yield lines that explain the columns, and then the most frequent reasons for forfeits."""
    yield f"score: wins and half the draws; ± or [low, high]: {PAIRED}"
    agents = {summary.agent for summary in summaries}
    if len(agents) == _PAIR:
        yield f"difference: the first minus the second; ± or [low, high]: {DIFFERENCE}"
    yield "discs: the agent's minus the opponent's at the end, on average"
    if _any_forfeits(summaries):
        yield "forfeits: games lost by an illegal move or by giving up; behind a stroke, the opponent's"
        if len(agents) > 1:
            yield "*: some of these games were forfeited"
    for summary in summaries:
        yield from _faults(summary)


def verdicts(agents: Sequence[Sequence[Summary]]) -> Iterator[str]:
    """Yield the verdict on each agent."""
    for summaries in agents:
        met = [Met(item.opponent, item.score(), item.match.b) for item in summaries]
        yield f"{summaries[0].agent} {verdict(met, summaries[0].match.size)}"


def _faults(summary: Summary) -> Iterator[str]:
    for side, name in (("a", summary.agent), ("b", summary.opponent)):
        reasons = summary.forfeits[side]
        for reason, count in reasons.most_common(_REASONS):
            pair = f"{summary.agent} against {summary.opponent}"
            yield f"{name} forfeited {plural(count, 'game')} ({pair}): {reason}"
