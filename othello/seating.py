"""The table of a game from options: the game, who plays it, who gives hints, and where it is kept."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from othello.ending import blaming
from othello.options import DEFAULT_SIZE
from othello.permission import permit, permit_unasked
from othello.player_names import named

if TYPE_CHECKING:
    import numpy as np

    from console.kept_games import Keeper, KeptGame, Place, Shelf
    from console.opponent import SeatFor
    from console.sitting import Sitting
    from console.table import Table
    from game import Colour, Game

STATE: Final = "OTHELLO_STATE"
"""Names the folder for what outlives a program, in place of the system's own."""


@dataclass(frozen=True)
class Wishes:
    """What the options say of a game."""

    opponent: str | None
    """None stands for the one that was there before, or the strongest level."""
    option: str
    """Which argument or option says who the opponent is."""
    size: int | None
    colour: str
    start: "Callable[[int], Game]"
    """Makes the game to go on with, for a size of board; raises click.BadParameter."""
    hint: str
    seed: int | None
    runs_dir: Path


def strongest() -> str:
    """Return who plays against a person that names nobody."""
    from game.players.levels import STRONGEST

    return f"level:{STRONGEST}"


def shelf() -> "Shelf":
    """Return the folder of unfinished games."""
    from console.kept_games import Shelf

    return Shelf(_state_folder() / "games")


def _state_folder() -> Path:
    if folder := os.environ.get(STATE):
        return Path(folder)
    from platformdirs import user_state_path

    return user_state_path("othello-lab", appauthor=False)


def new_table(wishes: Wishes) -> "Table":
    """Return the table of a new game; raise click.BadParameter."""
    import numpy as np

    from console.kept_games import Keeper
    from console.sitting import Sitting
    from console.table import HUMAN

    streams = np.random.SeedSequence(wishes.seed)
    heads = bool(np.random.default_rng(*streams.spawn(1)).integers(2))
    words = wishes.opponent or strongest()
    found = None if words == HUMAN else named(words, wishes.runs_dir, wishes.option)
    game = wishes.start(wishes.size or (found and found.size) or DEFAULT_SIZE)
    seat_for = _seats(wishes.runs_dir, streams)
    with blaming(wishes.option):
        theirs = seat_for(words, game.size) if found else None
    side = _side(wishes.colour, heads)
    sitting = Sitting(game, {side: None, side.other: theirs})
    return _table(sitting, wishes.hint, seat_for, Keeper(shelf()))


def resumed_table(place: "Place", kept: "KeptGame", wishes: Wishes, hint: str | None) -> "Table":
    """Return the table of a game that was kept; a wished opponent and a `hint` take the place of those then.

    Raises click.BadParameter.
    """
    import numpy as np

    from console.kept_games import Keeper
    from console.sitting import Sitting

    seat_for = _seats(wishes.runs_dir, np.random.SeedSequence(wishes.seed))
    size, texts = kept.record.game.size, _texts(kept, wishes.opponent)
    from experiment.run.results.programs import programs_in

    read = [text for colour, text in texts.items() if text and text == kept.seats[colour]]
    read += [] if hint else [kept.adviser]
    permit([program for text in read for program in programs_in("player", text)], place.path)
    with blaming(wishes.option if wishes.opponent else "--resume"):
        seats = {colour: None if text is None else seat_for(text, size) for colour, text in texts.items()}
    sitting = Sitting(kept.record.game, seats, used=kept.used)
    sitting.given = 0
    sitting.go_to(kept.ply)
    return _table(sitting, hint or kept.adviser, seat_for, Keeper(shelf(), place))


def _texts(kept: "KeptGame", opponent: str | None) -> dict["Colour", str | None]:
    """Return who plays on with a kept game; None is a person."""
    from console.table import HUMAN
    from game import Colour

    texts = dict(kept.seats)
    if opponent:
        theirs = next((colour for colour, text in texts.items() if text is not None), Colour.WHITE)
        texts[theirs] = None if opponent == HUMAN else opponent
    return texts


def _table(sitting: "Sitting", hint: str, seat_for: "SeatFor", keeper: "Keeper") -> "Table":
    from console.opponent import Listener
    from console.table import Table

    with blaming("--hint"):
        adviser = seat_for(hint, sitting.game.size)
    return Table(sitting, Listener(adviser), seat_for, keeper)


def _seats(runs_dir: Path, streams: "np.random.SeedSequence") -> "SeatFor":
    """Return what makes players, each with randomness of its own: a hint changes no later move."""
    import numpy as np

    from agent.trained import board_size
    from console.opponent import Seat
    from experiment.run.results.player_names import find
    from game.players import make

    permit = permit_unasked()

    def seat_for(text: str, size: int) -> Seat:
        found = find(text, runs_dir, board_size, permit)
        return Seat(found.name, make(found.text, size), np.random.default_rng(*streams.spawn(1)), text)

    return seat_for


def _side(colour: str, heads: bool) -> "Colour":
    from game import Colour

    if colour == "random":
        return Colour.BLACK if heads else Colour.WHITE
    return Colour(colour)
