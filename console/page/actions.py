"""The messages that a page sends, each with at most one action."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

LARGEST = 1_000_000
"""The largest size of an uploaded file, in bytes."""
BEGINS = -1
"""The version in a message from a page that has no state yet."""
_Text = Annotated[str, Meta(max_length=2000)]
GameId = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
"""The ID of a game. The page makes a new ID for each tab."""


class _Action(Struct, forbid_unknown_fields=True, tag_field="do"):
    """An action of a person."""


class Play(_Action, tag="play"):
    """Play a square."""

    square: Annotated[int, Meta(ge=0, lt=256)]


class Command(_Action, tag="command"):
    """Carry out a command."""

    name: Literal[
        "undo", "redo", "go", "hint", "resign", "new", "swap", "harder", "easier", "values", "review"
    ]


class GoTo(_Action, tag="goto"):
    """Show the position after `ply` moves."""

    ply: Annotated[int, Meta(ge=0, le=1000)]


class Step(_Action, tag="step"):
    """Go forward by a number of decisions, or back if the number is negative."""

    decisions: Annotated[int, Meta(ge=-1000, le=1000)]


class Seat(_Action, tag="seat"):
    """Replace the players, in a new game or in the current game."""

    size: Annotated[int, Meta(ge=4, le=16, multiple_of=2)]
    black: _Text
    white: _Text
    adviser: _Text
    is_new: bool


class Open(_Action, tag="open"):
    """Open a game or a position that was typed or pasted."""

    text: Annotated[str, Meta(max_length=20_000, pattern=r"\S")]


class SetUp(_Action, tag="set-up"):
    """Continue from a position that the person set up on the board."""

    text: _Text


class Load(_Action, tag="load"):
    """Open a game of a file. The `number` of the first game is 1."""

    name: Annotated[str, Meta(max_length=300)]
    content: Annotated[bytes, Meta(max_length=LARGEST)]
    number: Annotated[int, Meta(ge=1, le=1_000_000)]


class Save(_Action, tag="save"):
    """Return the game, or a picture of the position, as a file."""

    suffix: Literal[".jsonl", ".ggf", ".txt", ".png", ".svg"]


class Drop(_Action, tag="drop"):
    """Delete another unfinished game."""

    other: GameId


Action = Play | Command | GoTo | Step | Seat | Open | SetUp | Load | Save


class Message(Struct, forbid_unknown_fields=True):
    """A message of a page about one game."""

    game: GameId
    version: int = BEGINS
    """The version of the state that the page shows. The server always answers a version below BEGINS."""
    action: Action | Drop | None = None
