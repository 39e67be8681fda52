"""The tables of an evaluation: one for each agent, and one for several agents side by side."""

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Any

from othello_lab.experiment.compare.evaluate import Judgement
from othello_lab.experiment.compare.match import Summary
from othello_lab.experiment.run.outcomes import Tally
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.show.verdict import Met, verdict
from othello_lab.experiment.show.wording import begun_from, plural
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.experiment.study.statistics.units import DIFFERENCE, PAIRED, score_difference
from othello_lab.game import Colour

_REASONS = 2
"""Maximum number of printed reasons for the forfeits of a player."""
_PAIR = 2
"""Number of agents for which the table has a column of differences."""
_NAME = 20
_COLUMN = 19
"""Minimum width of the first column (_NAME) and of each other column, in characters."""


def _of_games(prefix: str, heading: str, colour: Colour | None) -> Iterator[Column[Judgement]]:
    """Yield the columns for games with one colour, or for all games: counts, score and its interval."""

    def tally(judgement: Judgement) -> Tally:
        summary = judgement.summary
        return summary.total if colour is None else summary.colours[colour]

    def score(judgement: Judgement) -> Estimate:
        return judgement.summary.score(colour)

    yield Column("", lambda it: tally(it).games, key=f"{prefix}games")
    yield Column("", lambda it: tally(it).win, key=f"{prefix}win")
    yield Column("", lambda it: tally(it).draw, key=f"{prefix}draw")
    yield Column("", lambda it: tally(it).loss, key=f"{prefix}loss")
    yield Column(heading, score, "{}".format, key="")
    yield Column("", lambda it: score(it).value, key=f"{prefix}score")
    yield Column("", lambda it: score(it).interval.low, key=f"{prefix}score_low")
    yield Column("", lambda it: score(it).interval.high, key=f"{prefix}score_high")


_COLUMNS: tuple[Column[Judgement], ...] = (
    Column("", lambda it: it.trial.agent, key="agent"),
    Column("against", lambda it: it.trial.opponent, key="opponent"),
    Column("", lambda it: it.trial.a, key="a"),
    Column("", lambda it: it.trial.b, key="b"),
    Column("", lambda it: it.trial.size, key="size"),
    Column("", lambda it: it.trial.seed, key="seed"),
    Column("", lambda it: len(it.trial.openings), key="openings"),
    Column("", lambda it: it.trial.repeat, key="repeat"),
    *_of_games("", "score", None),
    *_of_games("black_", "as black", Colour.BLACK),
    *_of_games("white_", "as white", Colour.WHITE),
    Column("discs", lambda it: it.discs, "{:+.1f}".format, "mean_disc_diff"),
    Column("forfeits", lambda it: (it.forfeits("a"), it.forfeits("b")), lambda both: _forfeits(*both), ""),
    Column("", lambda it: it.forfeits("a"), key="forfeits"),
    Column("", lambda it: it.forfeits("b"), key="opponent_forfeits"),
    Column("", lambda it: "; ".join(it.notes), key="notes"),
)


def table(judgements: Sequence[Judgement]) -> Table:
    """Return a table with a row for each trial. For CSV, the trials may be of several agents."""
    trial = judgements[0].trial
    title = f"{trial.agent} on {trial.size}x{trial.size}, {_length(judgements)}"
    forfeited = _any_forfeits(judgements)
    return Table.of(title, [it for it in _COLUMNS if forfeited or it.heading != "forfeits"], judgements)


def _any_forfeits(judgements: Iterable[Judgement]) -> bool:
    return any(any(judgement.summary.forfeits.values()) for judgement in judgements)


def as_json(judgement: Judgement) -> dict[str, Any]:
    """Return the result of a trial in the format of `othello match --json`, with names and notes."""
    trial = judgement.trial
    names = {"agent": trial.agent, "opponent": trial.opponent}
    return {**names, **judgement.summary.as_json(), "notes": list(judgement.notes)}


def _forfeits(agent: int, opponent: int) -> str:
    """Return the number of games that the agent forfeited; add `/ N` if the opponent forfeited N games."""
    return f"{agent} / {opponent}" if opponent else str(agent)


def _length(judgements: Sequence[Judgement]) -> str:
    counts = {judgement.summary.total.games for judgement in judgements}
    games = "to ".join(f"{count:,} " for count in sorted({min(counts), max(counts)}))
    return f"{games}games a line from {begun_from(judgements[0].trial.openings)}"


def joint_tables(agents: Sequence[Sequence[Judgement]], width: int) -> Iterator[Table]:
    """Yield tables of several agents side by side; a table has as many agents as fit, at least two."""
    room = max(_PAIR, (width - _NAME) // _COLUMN)
    for first in range(0, len(agents), room):
        yield _joint(agents[first : first + room], width, difference=len(agents) == _PAIR)


def _joint(agents: Sequence[Sequence[Judgement]], width: int, difference: bool) -> Table:
    names = [judgements[0].trial.agent for judgements in agents]
    room = max(_COLUMN, (width - _NAME) // (len(names) + difference)) - 1
    first_room = max(_NAME, width - (room + 1) * (len(names) + difference)) - 1
    summaries = [{item.trial.opponent: item.summary for item in judgements} for judgements in agents]
    columns = [
        Column[str]("against", lambda opponent: broken(opponent, first_room)),
        *(
            Column[str](broken(name, room), met.get, write=_marked)
            for name, met in zip(names, summaries, strict=True)
        ),
    ]
    if difference:
        first, second = summaries
        columns.append(
            Column("difference", lambda it: _apart(first.get(it), second.get(it)), "{:+.3f}".format)
        )
    opponents = dict.fromkeys(name for by_name in summaries for name in by_name)
    return Table.of("Scores side by side", columns, opponents)


def _marked(summary: Summary) -> str:
    """Return the score, with a star if games were forfeited."""
    return f"{summary.score()}{'*' * any(summary.forfeits.values())}"


def broken(name: str, room: int) -> str:
    """Return a name in lines of at most `room` letters; lines end after `:`, `,`, `=` or `/` if possible."""
    lines = [""]
    for part in re.split(r"(?<=[:,=/])", name):
        for piece in wrap(part, room, drop_whitespace=False):
            if len(lines[-1] + piece) <= room:
                lines[-1] += piece
            else:
                lines.append(piece)
    return "\n".join(filter(None, lines))


def _apart(first: Summary | None, second: Summary | None) -> Estimate | None:
    """Return the first score minus the second, over the same openings; None if a summary is missing."""
    return score_difference(first.units, second.units) if first and second else None


def explanations(judgements: Sequence[Judgement]) -> Iterator[str]:
    """Yield lines that explain the columns, then forfeits and notes."""
    yield f"score: wins and half the draws; ± or [low, high]: {PAIRED}"
    agents = {judgement.trial.agent for judgement in judgements}
    if len(agents) == _PAIR:
        yield f"difference: the first minus the second; ± or [low, high]: {DIFFERENCE}"
    yield "discs: the agent's minus the opponent's at the end, on average"
    if _any_forfeits(judgements):
        yield "forfeits: games lost by an illegal move or by giving up; behind a stroke, the opponent's"
        if len(agents) > 1:
            yield "*: some of these games were forfeited"
    for judgement in judgements:
        yield from _faults(judgement)
    for note in dict.fromkeys(note for judgement in judgements for note in judgement.notes):
        yield f"note: {note}: the agent was judged as it is"


def verdicts(agents: Sequence[Sequence[Judgement]]) -> Iterator[str]:
    """Yield the verdict on each agent."""
    for judgements in agents:
        trial = judgements[0].trial
        met = [Met(item.trial.opponent, item.summary.score(), item.trial.b) for item in judgements]
        yield f"{trial.agent} {verdict(met, trial.size)}"


def _faults(judgement: Judgement) -> Iterator[str]:
    trial = judgement.trial
    for side, name in (("a", trial.agent), ("b", trial.opponent)):
        reasons = judgement.summary.forfeits[side]
        for reason, count in reasons.most_common(_REASONS):
            pair = f"{trial.agent} against {trial.opponent}"
            yield f"{name} forfeited {plural(count, 'game')} ({pair}): {reason}"
