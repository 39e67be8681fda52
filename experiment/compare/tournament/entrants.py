"""Entrants of a tournament: a registry text, the content of the files behind it, and a short name."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from othello_lab.game.files import WEIGHTS, read_bytes
from othello_lab.game.notation import printable
from othello_lab.game.players.catalogue import files, make
from othello_lab.game.players.player import Player
from othello_lab.game.players.short_names import short_names

_ID = 16
"""Hexadecimal digits."""


class ChangedError(ValueError):
    """The file behind a player is no longer the one that it was identified by."""


class Entrant(NamedTuple):
    """A player of a tournament: with another file behind it the same text is another player."""

    text: str
    """The registry text."""
    digest: str | None
    """SHA-256 of the file that it is read from, or of the digests of several; None where there is no file."""

    @property
    def id(self) -> str:
        """What databases call it: 16 hexadecimal digits of the SHA-256 of text and digest as JSON."""
        return hashlib.sha256(json.dumps(self).encode()).hexdigest()[:_ID]


def entrant(text: str, size: int) -> Entrant:
    """Return the player of a text as it is now, on boards of `size`.

    Raises RegistryError for a text that names none, ValueError for a file that cannot be read.
    """
    digests = [_digest(path) for path in files(text, size)]
    several = hashlib.sha256("\n".join(digests).encode()).hexdigest()
    return Entrant(text, None if not digests else digests[0] if len(digests) == 1 else several)


def check_different(entrants: Sequence[Entrant], size: int) -> None:
    """Raise ValueError if a player is there twice, also where two paths lead to the same content."""
    for one, other in combinations(entrants, 2):
        if _without_files(one, size) == _without_files(other, size):
            said = " and ".join(dict.fromkeys((one.text, other.text)))
            raise ValueError(f"{said}: one player is there twice, name each once")


def _without_files(who: Entrant, size: int) -> Entrant:
    """Return a player whose text does not say where its files are."""
    paths = files(who.text, size)
    return who._replace(text="".join(w for w in re.split(r"([][:=,])", who.text) if Path(w) not in paths))


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(read_bytes(path, WEIGHTS)).hexdigest()
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None


def seated(who: Entrant, size: int) -> Player:
    """Return the player itself; raise ChangedError if its file is another one by now."""
    player = make(who.text, size)
    if entrant(who.text, size) != who:
        player.close()
        raise ChangedError(
            f"the file behind {who.text} has changed since the tournament began: the games so far are kept; "
            "begin again, and it takes part as another player"
        )
    return player


_DIGITS = 7
"""Of a digest."""


def labels(entrants: Sequence[Entrant]) -> list[str]:
    """Return the short name of each, with the digest of the file if two have the same text."""
    texts = Counter(who.text for who in entrants)
    names = short_names([*texts])
    return [
        printable(names[who.text] + f" ({(who.digest or 'no file')[:_DIGITS]})" * (texts[who.text] > 1))
        for who in entrants
    ]
