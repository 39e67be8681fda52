"""The messages of a page: what a person does there, checked before anything is done."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

LARGEST = 1_000_000
"""Bytes of a file of games."""
BEGINS = -1
"""The version that a page without a state names."""
_Text = Annotated[str, Meta(max_length=2000)]
GameId = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
"""The name of a game: a page makes one for each tab."""


class _Action(Struct, forbid_unknown_fields=True, tag_field="do"):
    """An action of a person."""


class Play(_Action, tag="play"):
    """Play a square."""

    square: Annotated[int, Meta(ge=0, lt=256)]


class Command(_Action, tag="command"):
    """Carry out a command, show the values or the review, or ask a player again that has failed."""

    name: Literal[
        "undo", "redo", "go", "hint", "resign", "new", "swap", "harder", "easier", "values", "review", "again"
    ]


class GoTo(_Action, tag="goto"):
    """Show the position after some moves."""

    ply: Annotated[int, Meta(ge=0, le=1000)]


class Step(_Action, tag="step"):
    """Show the position some decisions before or after."""

    decisions: Annotated[int, Meta(ge=-1000, le=1000)]


class Seat(_Action, tag="seat"):
    """Replace the players, in a new game or in the present one."""

    size: Annotated[int, Meta(ge=4, le=16, multiple_of=2)]
    black: _Text
    white: _Text
    adviser: _Text
    is_new: bool


class Open(_Action, tag="open"):
    """Open a game or a position that was typed or pasted."""

    text: Annotated[str, Meta(max_length=20_000, pattern=r"\S")]


class Follow(_Action, tag="follow"):
    """Open the game of a link."""

    link: _Text


class SetUp(_Action, tag="set-up"):
    """Play on from a position that was set up on the board."""

    text: _Text


class Load(_Action, tag="load"):
    """Open a game of a file."""

    name: Annotated[str, Meta(max_length=300)]
    content: Annotated[bytes, Meta(max_length=LARGEST)]
    number: Annotated[int, Meta(ge=1, le=1_000_000)]


class Save(_Action, tag="save"):
    """Return the game, or a picture of the position, as a file."""

    suffix: Literal[".jsonl", ".ggf", ".txt", ".png", ".svg"]


class Drop(_Action, tag="drop"):
    """Delete another unfinished game."""

    other: GameId


Action = Play | Command | GoTo | Step | Seat | Open | Follow | SetUp | Load | Save


class Message(Struct, forbid_unknown_fields=True):
    """A message of a page."""

    game: GameId
    version: int = BEGINS
    """The version of the last state; BEGINS for a new page, below that to get the state in any case."""
    action: Action | Drop | None = None
