"""What to call the players of a tournament: short, and each something else."""

import re
from collections import Counter
from collections.abc import Sequence

from experiment.results.called import label, short_name
from experiment.tournament.entrants import Entrant

_OF_A_RUN = re.compile(r"trained:\[?(?:.*[/\\])?([^/\\]+)[/\\]checkpoints[/\\]([^/\\]+)\.safetensors\]?")
_DIGITS = 7
"""Of a digest."""


def labels(entrants: Sequence[Entrant]) -> list[str]:
    """Return a name for each: a run's, an engine's, or the registry text without folders."""
    found = [_short(who.text) for who in entrants]
    texts = Counter(who.text for who in entrants)
    said = Counter(found)
    return [name if said[name] == 1 else _long(who, texts) for name, who in zip(found, entrants, strict=True)]


def _short(text: str) -> str:
    if named := _OF_A_RUN.fullmatch(text):
        run, checkpoint = named.groups()
        return run if checkpoint == "policy" else f"{run}/{checkpoint}"
    called = label(text)
    return short_name(text) if called == text else called


def _long(who: Entrant, texts: Counter[str]) -> str:
    """Return the text, and which file was behind it where that is not the only one."""
    return who.text if texts[who.text] == 1 else f"{who.text} ({(who.digest or 'no file')[:_DIGITS]})"
