"""Players of a tournament, identified by registry text and file digest."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from othello_lab.game.catalogue import files, make
from othello_lab.game.errors import FailedError
from othello_lab.game.notation import printable
from othello_lab.game.players.player import Player
from othello_lab.game.safe_files import WEIGHTS, read_bytes
from othello_lab.game.short_names import short_names

_ID_DIGITS = 16
_SHOWN_DIGITS = 7


class ChangedError(FailedError):
    """The file of a player has changed since the start of the tournament."""


class Entrant(NamedTuple):
    """A player of a tournament. A player with a changed file is a different entrant."""

    text: str  # The registry text.
    digest: str | None  # SHA-256 of the player's file, or of several files' digests. None without files.

    @property
    def id(self) -> str:
        """The key in databases: 16 hexadecimal digits of the SHA-256 of text and digest as JSON."""
        return hashlib.sha256(json.dumps(self).encode()).hexdigest()[:_ID_DIGITS]


def entrant(text: str, size: int) -> Entrant:
    """Return the entrant with this text. Raises RegistryError, and ValueError for an unreadable file."""
    digests = [_digest(path) for path in files(text, size)]
    if len(digests) > 1:
        digests = [hashlib.sha256("\n".join(digests).encode()).hexdigest()]
    return Entrant(text, digests[0] if digests else None)


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(read_bytes(path, WEIGHTS)).hexdigest()
    except OSError as error:
        raise FailedError(f"{path} cannot be read: {error.strerror}") from None


def check_different(entrants: Sequence[Entrant]) -> None:
    """Raise ValueError if a player occurs twice."""
    for who, count in Counter(entrants).items():
        if count > 1:
            raise ValueError(f"{who.text}: one player is there twice, name each once")


def make_entrant(who: Entrant, size: int) -> Player:
    """Create the player of an entrant. Raises ChangedError if the player's file has changed."""
    player = make(who.text, size)
    if entrant(who.text, size) != who:
        player.close()
        raise ChangedError(
            f"the file behind {who.text} has changed since the tournament began: the games so far are kept; "
            "begin again, and it takes part as another player"
        )
    return player


def labels(entrants: Sequence[Entrant]) -> list[str]:
    """Return the entrants' short names. For equal texts, the file digest is a suffix."""
    texts = Counter(who.text for who in entrants)
    names = short_names([*texts])
    return [
        printable(names[text] + f" ({(digest or 'no file')[:_SHOWN_DIGITS]})" * (texts[text] > 1))
        for text, digest in entrants
    ]
