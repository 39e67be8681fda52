"""The options of `othello play`, and the table that they ask for: a game, who plays it, who gives hints."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from platformdirs import user_state_path

from othello_lab.commands.checks import chosen_size, named
from othello_lab.commands.draw import draw_shown
from othello_lab.commands.ending import blaming
from othello_lab.commands.openings import Openings, OpeningsText, lines_of
from othello_lab.commands.options import argument, given, option, options, whole_number
from othello_lab.commands.programs import ProgramText
from othello_lab.commands.shared_options import (
    Seed,
    a_player_or_run,
    a_player_text,
    a_runs_dir,
    a_size,
)
from othello_lab.game.launching import note

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from othello_lab.console.saving import KeptGame, Place, Shelf
    from othello_lab.console.seat import SeatFor
    from othello_lab.console.sitting import Sitting
    from othello_lab.console.table import Table
    from othello_lab.game import Colour, Game

    NewGame = Callable[[int], Game]

STATE: Final = "OTHELLO_STATE"
"""The environment variable that names the folder of unfinished games, in place of the system's own."""
COLOURS = ("black", "white", "random")


@options
class Options:
    """The options of `othello play`."""

    text: str | None = argument(required=False, type=ProgramText(), shell_complete=a_player_or_run)
    level: int | None = option(
        "Instead of TEXT: from 1, almost random, to 10, the strongest here.  [default: 10]",
        metavar="1-10",
        section="The game",
    )
    size: int | None = a_size("the opponent's")
    colour: str | None = option(
        "Your side; black moves first.  [default: black, or the side that a run was not trained with]",
        "--colour",
        "--color",
        type=click.Choice(COLOURS),
    )
    transcript: str = option(
        "Begin from here, such as f5d6c3.", default="", show_default=False, metavar="MOVES|POSITION"
    )
    openings: Openings = option(
        "Begin each new game from an opening drawn by lot, of those that `othello match --openings` takes.",
        type=OpeningsText(),
        metavar="N|FILE",
    )
    load: str | None = option(
        "Go on with a game of a file: .txt, .jsonl, .ggf, .wtb, .sgf, .pgn.", metavar="FILE"
    )
    number: int = whole_number("Which game of --load's file.", default=1, lowest=1)
    resume: bool = option("Go on with the last game that was not finished.")
    hint: str = a_player_text("The player that gives hints.", default="search:time=1")
    seed: int | None = option("Seed of the opponent's randomness.  [default: a new one]", type=Seed())
    plain: bool = option("Lines of text, for a pipe or a screen reader.", section="The screen")
    web: bool = option("Play in a browser on this machine, which it opens: each tab has a game.")
    no_open: bool = option("Open no browser with --web.")
    port: int = whole_number(
        "Port of --web.  [default: any free one]", default=0, highest=65535, show_default=False
    )
    screenshot: Path | None = option(
        "Draw the screen with hints (.svg), and end.", type=click.Path(path_type=Path)
    )
    runs_dir: Path = a_runs_dir()


def shelf() -> "Shelf":
    """Return the folder of unfinished games."""
    from othello_lab.console.saving import Shelf

    state = Path(os.environ.get(STATE) or user_state_path("othello-lab", appauthor=False))
    return Shelf(state / "games")


def asked(said: Options) -> tuple[str, int, str]:
    """Return who is to play against the person, the size of the board, and the person's colour.

    An agent that a run trained with one colour gets that colour unless the person chooses. Raises as
    `new_table` does.
    """
    from othello_lab.console.table import HUMAN
    from othello_lab.game.players.noisy import STRONGEST

    wanted, where = _opponent(said)
    words = wanted or f"level:{STRONGEST}"
    found = None if words == HUMAN else named(words, said.runs_dir, where)
    other = "white" if found and found.colour == "black" else "black"
    return words, chosen_size(said.size, *([found] if found else [])), said.colour or other


def new_table(said: Options, place: "Place | None" = None) -> "Table":
    """Return the table of a new game, kept at a place; raise click.BadParameter or UsageError."""
    import numpy as np

    from othello_lab.console.sitting import Sitting
    from othello_lab.console.table import HUMAN

    streams = np.random.SeedSequence(said.seed)
    heads = bool(np.random.default_rng(*streams.spawn(1)).integers(2))
    words, size, colour = asked(said)
    new_game = _drawn(said.openings, size, streams)
    game = start(said, size, new_game)
    seat_for = _seats(said.runs_dir, streams)
    with blaming(_opponent(said)[1]):
        theirs = None if words == HUMAN else seat_for(words, game.size)
    side = _side(colour, heads)
    sitting = Sitting(game, {side: None, side.other: theirs})
    return _table(sitting, said.hint, seat_for, place or shelf().place(), new_game)


def resumed_table(place: "Place", kept: "KeptGame", said: Options, on_page: bool = False) -> "Table":
    """Return the table of a game that was kept; an opponent and hints that are given replace the kept
    ones, except on a page.

    Raises click.BadParameter or UsageError.
    """
    import numpy as np

    from othello_lab.console.sitting import Sitting
    from othello_lab.console.table import from_the_start

    seat_for = _seats(said.runs_dir, np.random.SeedSequence(said.seed))
    wanted, where = (None, "") if on_page else _opponent(said)
    hint = said.hint if "hint" in given() and not on_page else None
    size, texts = kept.record.game.size, _texts(kept, wanted)
    note(place.path, [*kept.seats.values(), kept.adviser])
    with blaming(where if wanted else "--resume"):
        seats = {colour: None if text is None else seat_for(text, size) for colour, text in texts.items()}
    sitting = Sitting(kept.record.game, seats, used=kept.used)
    sitting.go_to(kept.ply)
    return replace(_table(sitting, hint or kept.adviser, seat_for, place, from_the_start), was_brought=True)


def _opponent(said: Options) -> tuple[str | None, str]:
    """Return who plays against the person, None for nobody in particular, and which option says so."""
    if said.text is not None:
        return said.text, "TEXT"
    return None if said.level is None else f"level:{said.level}", "--level"


def start(said: Options, size: int, new_game: "NewGame") -> "Game":
    """Return the game to go on with; raise click.BadParameter or UsageError."""
    from othello_lab.console import files
    from othello_lab.game.game import parse_start

    if said.openings is not None:
        return new_game(size)
    if said.load:
        with blaming("--load"):
            return files.load(said.load, said.number, size).game
    with blaming("--transcript"):
        return parse_start(said.transcript, size)


def _drawn(openings: Openings, size: int, streams: "np.random.SeedSequence") -> "NewGame":
    """Return what begins a game: on a board of this size from one of the openings, if there are any."""
    import numpy as np

    from othello_lab.console.table import from_the_start
    from othello_lab.game import Game

    if openings is None:
        return from_the_start
    lines, luck = lines_of(openings, size), np.random.default_rng(*streams.spawn(1))

    def drawn(other: int) -> Game:
        if other != size:
            return from_the_start(other)
        return Game.from_transcript(lines[luck.integers(len(lines))], size)

    return drawn


def _texts(kept: "KeptGame", opponent: str | None) -> dict["Colour", str | None]:
    """Return who plays on with a kept game; None is a person."""
    from othello_lab.console.table import HUMAN
    from othello_lab.game import Colour

    texts = dict(kept.seats)
    if opponent:
        theirs = next((colour for colour, text in texts.items() if text is not None), Colour.WHITE)
        texts[theirs] = None if opponent == HUMAN else opponent
    return texts


def _table(
    sitting: "Sitting", hint: str, seat_for: "SeatFor", place: "Place", new_game: "NewGame"
) -> "Table":
    from othello_lab.console.table import Table

    with blaming("--hint"):
        adviser = seat_for(hint, sitting.game.size)
    return Table(sitting, adviser, seat_for, place, new_game, draw_shown)


def _seats(runs_dir: Path, streams: "np.random.SeedSequence") -> "SeatFor":
    """Return what makes players, each with randomness of its own: a hint changes no later move."""
    import numpy as np

    from othello_lab.agent.trained import board_size
    from othello_lab.console.seat import Seat
    from othello_lab.experiment.run.player_names import find
    from othello_lab.game.players.catalogue import make

    def seat_for(text: str, size: int) -> Seat:
        found = find(text, runs_dir, board_size)
        return Seat(found.name, make(found.text, size), np.random.default_rng(*streams.spawn(1)), text)

    return seat_for


def _side(colour: str, heads: bool) -> "Colour":
    from othello_lab.game import Colour

    drawn = "black" if heads else "white"
    return Colour(drawn if colour == "random" else colour)
