"""Identify the players of a tournament by a registry text and the digest of the files that the text names."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from othello_lab.game.catalogue import files, make
from othello_lab.game.notation import printable
from othello_lab.game.players.player import Player
from othello_lab.game.registry import short_names
from othello_lab.game.safe_files import WEIGHTS, read_bytes

_ID_DIGITS = 16
_SHOWN_DIGITS = 7


class ChangedError(ValueError):
    """The file of a player has changed since the start of the tournament."""


class Entrant(NamedTuple):
    """A player of a tournament. If the file of the player changes, it counts as a different player."""

    text: str
    """The registry text."""
    digest: str | None
    """The SHA-256 of the player's file. For several files, the SHA-256 of their digests. None without files.
    """

    @property
    def id(self) -> str:
        """The key in databases.

        The key has 16 hexadecimal digits of the SHA-256 of the text and the digest as JSON.
        """
        return hashlib.sha256(json.dumps(self).encode()).hexdigest()[:_ID_DIGITS]


def entrant(text: str, size: int) -> Entrant:
    """Return the entrant for a registry text and the current content of its files, on boards of `size`.

    Raises RegistryError for an unknown player, and ValueError for a file that cannot be read.
    """
    digests = [_digest(path) for path in files(text, size)]
    if len(digests) > 1:
        digests = [hashlib.sha256("\n".join(digests).encode()).hexdigest()]
    return Entrant(text, digests[0] if digests else None)


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(read_bytes(path, WEIGHTS)).hexdigest()
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None


def check_different(entrants: Sequence[Entrant], size: int) -> None:
    """Raise ValueError if two entrants are the same player.

    Two paths name the same player if their files are equal.
    """
    for first, second in combinations(entrants, 2):
        if _without_paths(first, size) == _without_paths(second, size):
            texts = " and ".join(dict.fromkeys((first.text, second.text)))
            raise ValueError(f"{texts}: one player is there twice, name each once")


def _without_paths(entrant: Entrant, size: int) -> Entrant:
    paths = files(entrant.text, size)
    parts = re.split(r"([][:=,])", entrant.text)
    return entrant._replace(text="".join(part for part in parts if Path(part) not in paths))


def make_entrant(who: Entrant, size: int) -> Player:
    """Create the player of an entrant. Raises ChangedError if its file has changed."""
    player = make(who.text, size)
    if entrant(who.text, size) != who:
        player.close()
        raise ChangedError(
            f"the file behind {who.text} has changed since the tournament began: the games so far are kept; "
            "begin again, and it takes part as another player"
        )
    return player


def labels(entrants: Sequence[Entrant]) -> list[str]:
    """Return the short name of each entrant.

    If two entrants have the same text, add the digest of the file.
    """
    texts = Counter(who.text for who in entrants)
    names = short_names([*texts])
    return [
        printable(names[text] + f" ({(digest or 'no file')[:_SHOWN_DIGITS]})" * (texts[text] > 1))
        for text, digest in entrants
    ]
