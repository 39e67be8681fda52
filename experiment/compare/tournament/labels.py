"""Labels of a tournament's players: short, and no two alike."""

import re
from collections import Counter
from collections.abc import Sequence

from experiment.compare.tournament.entrants import Entrant
from experiment.run.results.short_names import label, short_name
from game.notation import printable

_OF_A_RUN = re.compile(r"trained:\[?(?:.*[/\\])?([^/\\]+)[/\\]checkpoints[/\\]([^/\\]+)\.safetensors\]?")
_DIGITS = 7
"""Of a digest."""


def labels(entrants: Sequence[Entrant]) -> list[str]:
    """Return a name for each: a run's, an engine's, or the registry text without folders.

    Where that would be the same name, the whole text; where that is the same too, which file was behind it.
    """
    meant: dict[str, set[str]] = {}
    for who in entrants:
        meant.setdefault(_short(who.text), set()).add(who.text)
    texts = Counter(who.text for who in entrants)
    names = [_short(who.text) if len(meant[_short(who.text)]) == 1 else who.text for who in entrants]
    return [
        printable(name if texts[who.text] == 1 else f"{name} ({(who.digest or 'no file')[:_DIGITS]})")
        for name, who in zip(names, entrants, strict=True)
    ]


def _short(text: str) -> str:
    if named := _OF_A_RUN.fullmatch(text):
        run, checkpoint = named.groups()
        return run if checkpoint == "policy" else f"{run}/{checkpoint}"
    called = label(text)
    return short_name(text) if called == text else called
