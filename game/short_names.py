"""Short display names of players, made from registry texts."""

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from othello_lab.game.registry import RegistryError, parse

_FOLDERS = r"(\[)?(?:(?:[A-Za-z]:)?(?(1)[^][:=]|[^][:=,])*[/\\])?"
_OF_RUN = rf"[\w-]+:{_FOLDERS}([\w.-]+)[/\\]checkpoints[/\\]"
_SHORTER = tuple(
    (re.compile(pattern), short)
    for pattern, short in (
        (rf"{_OF_RUN}policy\.safetensors(?(1)\])", r"\2"),
        (rf"{_OF_RUN}([\w.-]+)\.safetensors(?(1)\])", r"\2/\3"),
        (rf"(?<![^:=\[])trained:{_FOLDERS}([^][:=,/\\]+)(?(1)\])", r"\2"),
        (r"(?<=[:=\[])(?! )(?:[A-Za-z]:)?[^][:=,]*[/\\]", ""),
        (r"\.safetensors\b", ""),
        (r"(?<![^:=\[])given:", ""),
        (r"\Alevel:(\d+)(?= \(|\Z)", r"level \1"),
        (r"\Asearch:time=([\d.]+)(?= \(|\Z)", r"search \1 s"),
    )
)


def short_name(text: str) -> str:
    """Return the option `name` of a registry text, or a short form such as `first/episode-00000500`."""
    if not re.match(r"[\w-]+[:,]\S", text):
        return text
    with suppress(RegistryError):
        if name := parse(text).options.get("name"):
            return name
    for pattern, short in _SHORTER:
        text = pattern.sub(short, text)
    return text


def short_names(texts: Sequence[str]) -> dict[str, str]:
    """Return a dictionary from registry texts to short names. Two texts never get the same short name."""
    names = {text: short_name(text) for text in texts}
    count = Counter(names.values())
    return {text: name if count[name] == 1 else text for text, name in names.items()}
