"""The messages of a page: what a person did there, checked before anything is done."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

LARGEST = 1_000_000
"""Bytes of a file of games that is taken."""
BEGINS = -1
"""What a page has seen that begins."""
_Ply = Annotated[int, Meta(ge=0, le=1000)]
_Text = Annotated[str, Meta(max_length=2000)]
GameId = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
"""The name of a game: a page makes one up for each tab."""


class _Action(Struct, forbid_unknown_fields=True, tag_field="do"):
    """Something that a person did."""


class Play(_Action, tag="play"):
    """A move."""

    square: Annotated[int, Meta(ge=0, lt=256)]


class Word(_Action, tag="word"):
    """A command that needs nothing more."""

    word: Literal["undo", "redo", "go", "hint", "resign", "new", "swap", "harder", "easier"]


class Values(_Action, tag="values"):
    """Values in every position, or no longer."""


class Review(_Action, tag="review"):
    """A review of the game."""


class GoTo(_Action, tag="goto"):
    """A look at another position."""

    ply: _Ply


class Step(_Action, tag="step"):
    """A look at the position some decisions before or after."""

    decisions: Annotated[int, Meta(ge=-1000, le=1000)]


class Seat(_Action, tag="seat"):
    """Other players, on a board of this size; in a new game, or in the one that is played."""

    size: Annotated[int, Meta(ge=4, le=16, multiple_of=2)]
    black: _Text
    white: _Text
    adviser: _Text
    is_new: bool


class Again(_Action, tag="again"):
    """Another question to a player that could not go on."""


class Open(_Action, tag="open"):
    """A game or a position that was typed or pasted."""

    text: Annotated[str, Meta(max_length=20_000, pattern=r"\S")]


class Follow(_Action, tag="follow"):
    """The game of a link."""

    link: _Text


class SetUp(_Action, tag="set-up"):
    """A position that was set up on the board."""

    text: _Text


class Load(_Action, tag="load"):
    """A game of a file."""

    name: Annotated[str, Meta(max_length=300)]
    content: Annotated[bytes, Meta(max_length=LARGEST)]
    number: Annotated[int, Meta(ge=1, le=1_000_000)]


class Save(_Action, tag="save"):
    """A file for the browser to keep: the game, or a picture of the position."""

    suffix: Literal[".jsonl", ".ggf", ".txt", ".png", ".svg"]


Action = Play | Word | Values | Review | GoTo | Step | Seat | Again | Open | Follow | SetUp | Load | Save


class Drop(_Action, tag="drop"):
    """An end of another game that is not finished: nobody wants to go on with it."""

    other: GameId


class Message(Struct, forbid_unknown_fields=True):
    """All that a page sends: which game it is, which state of it was seen last, what is to be done."""

    game: GameId
    seen: int = BEGINS
    """A version of the state; BEGINS where a page knows none, any other below 0 to have it in any case."""
    action: Action | Drop | None = None
