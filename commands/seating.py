"""The options of `othello play`, and the table that they ask for: a game, who plays it, who gives hints."""

import os
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

    from othello_lab.console.controller import Controller
    from othello_lab.console.saving import SavedGame, SaveFile, SaveFolder
    from othello_lab.console.seat import SeatFor
    from othello_lab.console.sitting import Sitting
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


def shelf() -> "SaveFolder":
    """Return the folder of unfinished games."""
    from othello_lab.console.saving import SaveFolder

    state = Path(os.environ.get(STATE) or user_state_path("othello-lab", appauthor=False))
    return SaveFolder(state / "games")


def asked(said: Options) -> tuple[str, int, str]:
    """Return who is to play against the person, the size of the board, and the person's colour.

    An agent that a run trained with one colour gets that colour unless the person chooses. Raises as
    `new_table` does.
    """
    from othello_lab.console.seat import HUMAN
    from othello_lab.game.players.noisy import STRONGEST

    wanted, where = _opponent(said)
    words = wanted or f"level:{STRONGEST}"
    found = None if words == HUMAN else named(words, said.runs_dir, where)
    other = "white" if found and found.colour == "black" else "black"
    return words, chosen_size(said.size, *([found] if found else [])), said.colour or other


def new_table(said: Options, file: "SaveFile | None" = None) -> "Controller":
    """Return the controller of a new game, saved in a file; raise click.BadParameter or UsageError."""
    import numpy as np

    from othello_lab.console.seat import HUMAN
    from othello_lab.console.sitting import Sitting

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
    return _table(sitting, said.hint, seat_for, file or shelf().new_file(), new_game)


def resumed_table(file: "SaveFile", saved: "SavedGame", said: Options, on_page: bool = False) -> "Controller":
    """Return the controller of a saved game; an opponent and hints that are given replace the saved ones,
    except on a page.

    Raises click.BadParameter or UsageError.
    """
    import numpy as np

    from othello_lab.console.sitting import Sitting, from_the_start

    seat_for = _seats(said.runs_dir, np.random.SeedSequence(said.seed))
    wanted, where = (None, "") if on_page else _opponent(said)
    hint = said.hint if "hint" in given() and not on_page else None
    size, texts = saved.record.game.size, _texts(saved, wanted)
    note(file.path, [*saved.seats.values(), saved.adviser])
    with blaming(where if wanted else "--resume"):
        seats = {colour: None if text is None else seat_for(text, size) for colour, text in texts.items()}
    sitting = Sitting(saved.record.game, seats, used=saved.used)
    sitting.go_to(saved.ply)
    control = _table(sitting, hint or saved.adviser, seat_for, file, from_the_start)
    control.is_loaded = True
    return control


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

    from othello_lab.console.sitting import from_the_start
    from othello_lab.game import Game

    if openings is None:
        return from_the_start
    lines, luck = lines_of(openings, size), np.random.default_rng(*streams.spawn(1))

    def drawn(other: int) -> Game:
        if other != size:
            return from_the_start(other)
        return Game.from_transcript(lines[luck.integers(len(lines))], size)

    return drawn


def _texts(saved: "SavedGame", opponent: str | None) -> dict["Colour", str | None]:
    """Return who plays on with a kept game; None is a person."""
    from othello_lab.console.seat import HUMAN
    from othello_lab.game import Colour

    texts = dict(saved.seats)
    if opponent:
        theirs = next((colour for colour, text in texts.items() if text is not None), Colour.WHITE)
        texts[theirs] = None if opponent == HUMAN else opponent
    return texts


def _table(
    sitting: "Sitting", hint: str, seat_for: "SeatFor", file: "SaveFile", new_game: "NewGame"
) -> "Controller":
    from othello_lab.console.controller import Controller

    with blaming("--hint"):
        adviser = seat_for(hint, sitting.game.size)
    return Controller(sitting, adviser, seat_for, file, new_game, draw_shown)


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
