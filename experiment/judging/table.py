"""What came of trials, as tables for the terminal."""

from collections.abc import Iterator, Sequence

from rich import box
from rich.table import Table

from experiment.display.wording import plural
from experiment.judging.trial import Judgement
from experiment.match.summary import Summary
from experiment.statistics.paired import DIFFERENCE, PAIRED, score_difference
from game import Colour

_REASONS = 2
"""How many reasons for forfeits are printed of each player."""
_PAIR = 2
"""So many agents are compared: of more nobody asks for every difference."""
_NAME = 20
_COLUMN = 15
"""Characters of the first column, at least, and of the others."""


def table(judgements: Sequence[Judgement]) -> Table:
    """Return the table of one agent: a row for each opponent."""
    trial = judgements[0].trial
    drawn = _empty(f"{trial.agent} on {trial.size}x{trial.size}, {_length(judgements)}", "against")
    for heading in ("score", "as black", "as white", "discs", "forfeits"):
        drawn.add_column(heading, justify="right", no_wrap=True)
    for judgement in judgements:
        summary = judgement.summary
        scores = (summary.score(), summary.score(Colour.BLACK), summary.score(Colour.WHITE))
        discs = f"{summary.discs.value:+.1f}" if summary.discs else "-"
        drawn.add_row(judgement.trial.opponent, *map(str, scores), discs, str(summary.forfeits["a"].total()))
    return drawn


def _length(judgements: Sequence[Judgement]) -> str:
    counts = {judgement.summary.total.games for judgement in judgements}
    games = "to ".join(f"{count:,} " for count in sorted({min(counts), max(counts)}))
    return f"{games}games a line from {len(judgements[0].trial.openings)} openings"


def joint_tables(agents: Sequence[Sequence[Judgement]], width: int) -> Iterator[Table]:
    """Yield the scores of several agents side by side, as many in a table as have room."""
    room = max(1, (width - _NAME) // _COLUMN)
    for first in range(0, len(agents), room):
        yield _joint(agents[first : first + room], difference=len(agents) == _PAIR)


def _joint(agents: Sequence[Sequence[Judgement]], difference: bool) -> Table:
    drawn = _empty("Scores side by side", "against")
    for heading in (*(own[0].trial.agent for own in agents), *(["difference"] if difference else [])):
        drawn.add_column(heading, justify="right", overflow="fold", max_width=_COLUMN - 1)
    found = [{judgement.trial.opponent: judgement.summary for judgement in own} for own in agents]
    for opponent in dict.fromkeys(name for own in found for name in own):
        met = [own.get(opponent) for own in found]
        drawn.add_row(opponent, *(str(own.score()) if own else "-" for own in met), *_apart(met, difference))
    return drawn


def _apart(met: Sequence[Summary | None], wanted: bool) -> Iterator[str]:
    """Yield how much more the first scored than the second on the same openings."""
    first, *others = met
    if wanted and first and others[0]:
        yield f"{score_difference(first.units, others[0].units):+.3f}"


def _empty(title: str, first: str) -> Table:
    drawn = Table(
        title=f"\n{title}",
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    drawn.add_column(first, overflow="fold")
    return drawn


def explanations(judgements: Sequence[Judgement]) -> Iterator[str]:
    """Say what the columns mean, and what has to be known besides."""
    yield f"score: wins and half the draws; ± how far the {PAIRED} reaches"
    if len({judgement.trial.agent for judgement in judgements}) == _PAIR:
        yield f"difference: the first minus the second; ± how far the {DIFFERENCE} reaches"
    yield "discs: own minus the opponent's, the mean; forfeits: games lost by an illegal move or by giving up"
    for judgement in judgements:
        yield from _faults(judgement)
    for note in dict.fromkeys(note for judgement in judgements for note in judgement.notes):
        yield f"note: {note}: the agent was judged as it is"


def _faults(judgement: Judgement) -> Iterator[str]:
    trial = judgement.trial
    for side, name in (("a", trial.agent), ("b", trial.opponent)):
        reasons = judgement.summary.forfeits[side]
        for reason, count in reasons.most_common(_REASONS):
            pair = f"{trial.agent} against {trial.opponent}"
            yield f"{name} forfeited {plural(count, 'game')} ({pair}): {reason}"
