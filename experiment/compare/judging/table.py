"""Results of trials as tables for the terminal."""

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

from rich.markup import escape
from rich.table import Table

from experiment.compare.judging.trial import Judgement
from experiment.compare.match.summary import Summary
from experiment.run.evaluation.verdict import Met, verdict
from experiment.show.display.titled_table import titled_table
from experiment.show.display.wording import begun_from, plural
from experiment.study.statistics.paired import DIFFERENCE, PAIRED, score_difference
from game import Colour

_REASONS = 2
"""How many reasons for forfeits are printed of each player."""
_PAIR = 2
"""This many agents are compared: of more nobody asks for every difference."""
_NAME = 20
_COLUMN = 15
"""Characters of the first column, at least, and of the others."""


def table(judgements: Sequence[Judgement]) -> Table:
    """Return the table of one agent: a row for each opponent."""
    trial = judgements[0].trial
    drawn = _empty(f"{escape(trial.agent)} on {trial.size}x{trial.size}, {_length(judgements)}", "against")
    for heading in ("score", "as black", "as white", "discs", "forfeits"):
        drawn.add_column(heading, justify="right", no_wrap=True)
    for judgement in judgements:
        summary = judgement.summary
        scores = (summary.score(), summary.score(Colour.BLACK), summary.score(Colour.WHITE))
        discs = f"{summary.discs.value:+.1f}" if summary.discs else "-"
        drawn.add_row(escape(judgement.trial.opponent), *map(str, scores), discs, _forfeits(summary))
    return drawn


def _forfeits(summary: Summary) -> str:
    """Return how many games the agent forfeited, and behind a stroke the opponent where it did."""
    own, other = (summary.forfeits[side].total() for side in "ab")
    return f"{own} / {other}" if other else str(own)


def _length(judgements: Sequence[Judgement]) -> str:
    counts = {judgement.summary.total.games for judgement in judgements}
    games = "to ".join(f"{count:,} " for count in sorted({min(counts), max(counts)}))
    return f"{games}games a line from {begun_from(judgements[0].trial.openings)}"


def joint_tables(agents: Sequence[Sequence[Judgement]], width: int) -> Iterator[Table]:
    """Yield the scores of several agents side by side, as many in a table as have room, a pair at least."""
    room = max(_PAIR, (width - _NAME) // _COLUMN)
    for first in range(0, len(agents), room):
        yield _joint(agents[first : first + room], width, difference=len(agents) == _PAIR)


def _joint(agents: Sequence[Sequence[Judgement]], width: int, difference: bool) -> Table:
    drawn = _empty("Scores side by side", "against")
    headings = [*(own[0].trial.agent for own in agents), *(["difference"] if difference else [])]
    room = max(_COLUMN, (width - _NAME) // len(headings)) - 1
    for heading in headings:
        drawn.add_column(escape(broken(heading, room)), justify="right", no_wrap=True)
    found = [{judgement.trial.opponent: judgement.summary for judgement in own} for own in agents]
    for opponent in dict.fromkeys(name for own in found for name in own):
        met = [own.get(opponent) for own in found]
        against = broken(opponent, max(_NAME, width - (room + 1) * len(headings)) - 1)
        drawn.add_row(
            escape(against), *(_marked(own) if own else "-" for own in met), *_apart(met, difference)
        )
    return drawn


def _marked(summary: Summary) -> str:
    """Return the score, with a star where games were forfeited."""
    return f"{summary.score()}{'*' * any(summary.forfeits.values())}"


def broken(name: str, room: int) -> str:
    """Return a name in lines of at most `room` letters, broken behind a colon, a comma or a slash."""
    lines = [""]
    for part in re.split(r"(?<=[:,=/])", name):
        for piece in wrap(part, room, drop_whitespace=False):
            if len(lines[-1] + piece) <= room:
                lines[-1] += piece
            else:
                lines.append(piece)
    return "\n".join(filter(None, lines))


def _apart(met: Sequence[Summary | None], wanted: bool) -> Iterator[str]:
    """Yield how much more the first scored than the second on the same openings."""
    first, *others = met
    if wanted and first and others[0]:
        yield f"{score_difference(first.units, others[0].units):+.3f}"


def _empty(title: str, first: str) -> Table:
    drawn = titled_table(title)
    drawn.add_column(first, overflow="fold")
    return drawn


def explanations(judgements: Sequence[Judgement]) -> Iterator[str]:
    """Say what the columns mean, and what has to be known besides."""
    yield f"score: wins and half the draws; ± how far the {PAIRED} reaches"
    if len({judgement.trial.agent for judgement in judgements}) == _PAIR:
        yield f"difference: the first minus the second; ± how far the {DIFFERENCE} reaches"
    yield "discs: the agent's minus the opponent's at the end, on average"
    yield "forfeits: games lost by an illegal move or by giving up; behind a stroke, the opponent's"
    if any(any(judgement.summary.forfeits.values()) for judgement in judgements):
        yield "*: some of these games were forfeited"
    for judgement in judgements:
        yield from _faults(judgement)
    for note in dict.fromkeys(note for judgement in judgements for note in judgement.notes):
        yield f"note: {note}: the agent was judged as it is"


def verdicts(agents: Sequence[Sequence[Judgement]]) -> Iterator[str]:
    """Yield a line for each agent: whom it beats, and which level that is."""
    for own in agents:
        trial = own[0].trial
        met = [Met(each.trial.opponent, each.summary.score(), each.trial.b) for each in own]
        yield f"{trial.agent} {verdict(met, trial.size)}"


def _faults(judgement: Judgement) -> Iterator[str]:
    trial = judgement.trial
    for side, name in (("a", trial.agent), ("b", trial.opponent)):
        reasons = judgement.summary.forfeits[side]
        for reason, count in reasons.most_common(_REASONS):
            pair = f"{trial.agent} against {trial.opponent}"
            yield f"{name} forfeited {plural(count, 'game')} ({pair}): {reason}"
