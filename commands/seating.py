"""The options of `othello play`, and the controller of the game with these options."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from platformdirs import user_state_path

from othello_lab.commands import fields
from othello_lab.commands.checks import chosen_size, named
from othello_lab.commands.draw import draw_last
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import explicit_options, option, options, whole_number
from othello_lab.game.program_trust import note

if TYPE_CHECKING:
    import numpy as np

    from othello_lab.console.controller import Controller
    from othello_lab.console.saving import SavedGame, SaveFile
    from othello_lab.console.seat import SeatFor
    from othello_lab.console.sitting import Sitting
    from othello_lab.game import Game

STATE: Final = "OTHELLO_STATE"  # The environment variable that overrides the folder of unfinished games.


@options
class Options:
    """The options of `othello play`."""

    text: str | None = fields.player_argument(required=False)
    level: int | None = option(
        "Level of the opponent, instead of TEXT. Level 1 is almost random, and level 10 is the strongest.  "
        "[default: 10]",
        metavar="1-10",
        section="The game",
    )
    size: int | None = fields.players_size("the opponent")
    colour: str | None = option(
        "Your colour. Black moves first.  [default: black, but white against a run that was trained as "
        "black]",
        "--colour",
        "--color",
        type=click.Choice(("black", "white", "random")),
    )
    load: str | None = option(
        "Begin after these moves, such as f5d6c3, from this position, or with the game in this file (.txt, "
        ".jsonl, .ggf, .wtb, .sgf or .pgn).",
        metavar="MOVES|POSITION|FILE",
    )
    number: int = whole_number("Number of the game in the file of --load.", default=1, lowest=1)
    resume: bool = option("Continue the last unfinished game.")
    hint: str = fields.player("The player that gives hints.", default="search:time=1")
    seed: int | None = fields.seed(
        "Seed of the opponent's random choices.  [default: a new seed]", default=None
    )
    plain: bool = option("Print lines of text, for a pipe or a screen reader.", section="The screen")
    web: bool = option("Play in a browser on this machine. Each tab has its own game.")
    no_open: bool = option("With --web, do not open a browser.")
    port: int = fields.page_port("the page of --web")
    runs_dir: Path = fields.runs_dir()

    @property
    def opponent(self) -> tuple[str | None, str]:
        """The text of the opponent, or None for the default, and the option that sets the opponent."""
        if self.text is not None:
            return self.text, "TEXT"
        return None if self.level is None else f"level:{self.level}", "--level"


def save_folder() -> Path:
    """Return the folder of unfinished games."""
    state = Path(os.environ.get(STATE) or user_state_path("othello-lab", appauthor=False))
    return state / "games"


def settings_of(options: Options) -> tuple[str, int, str]:
    """Return the opponent's registry text, the board size, and the person's colour: black, white or random.

    By default, an agent that was trained with one colour plays this colour. Raises click.UsageError.
    """
    from othello_lab.console.seat import HUMAN
    from othello_lab.game.players.noisy import STRONGEST

    text, place = options.opponent
    text = text or f"level:{STRONGEST}"
    players = [] if text == HUMAN else [named(text, options.runs_dir, place)]
    usual = "white" if any(player.colour == "black" for player in players) else "black"
    return text, chosen_size(options.size, *players), options.colour or usual


def new_game(options: Options, file: "SaveFile | None" = None) -> "Controller":
    """Return the controller of a new game, saved in `file`. Raises click.UsageError for invalid options."""
    import numpy as np

    from othello_lab.console.saving import new_file
    from othello_lab.console.seat import HUMAN
    from othello_lab.console.sitting import Sitting
    from othello_lab.game import Colour

    streams = np.random.SeedSequence(options.seed)
    heads = bool(np.random.default_rng(*streams.spawn(1)).integers(2))
    text, size, colour = settings_of(options)
    if colour == "random":
        colour = "black" if heads else "white"
    game = start(options, size)
    seat_for = _seats(options.runs_dir, streams)
    with blaming(options.opponent[1]):
        opponent = None if text == HUMAN else seat_for(text, game.size)
    side = Colour(colour)
    sitting = Sitting(game, {side: None, side.other: opponent})
    return _control(sitting, options.hint, seat_for, file or new_file(save_folder()))


def resumed_game(
    file: "SaveFile", saved: "SavedGame", options: Options, on_page: bool = False
) -> "Controller":
    """Return the controller of a saved game. Raises click.UsageError if a player cannot be made.

    On a terminal, the opponent and the adviser in the options replace the saved ones.
    """
    import numpy as np

    from othello_lab.console.seat import HUMAN
    from othello_lab.console.sitting import Sitting
    from othello_lab.game import Colour

    seat_for = _seats(options.runs_dir, np.random.SeedSequence(options.seed))
    opponent, where = (None, "") if on_page else options.opponent
    hint = options.hint if "hint" in explicit_options() and not on_page else saved.adviser
    texts = dict(saved.seats)
    if opponent:
        side = next((colour for colour, text in texts.items() if text is not None), Colour.WHITE)
        texts[side] = None if opponent == HUMAN else opponent
    note(file.path, [*saved.seats.values(), saved.adviser])
    with blaming(where if opponent else "--resume"):
        size = saved.game.size
        seats = {colour: None if text is None else seat_for(text, size) for colour, text in texts.items()}
    sitting = Sitting(saved.game, seats)
    sitting.go_to(saved.ply)
    return _control(sitting, hint, seat_for, file)


def start(options: Options, size: int) -> "Game":
    """Return the game of --load, or a new game. Raises click.BadParameter for an invalid option."""
    from othello_lab.console import files
    from othello_lab.game import Board, Game

    if options.load is None:
        return Game(Board.start(size))
    with blaming("--load"):
        return files.load(options.load, options.number, size).game


def _control(sitting: "Sitting", hint: str, seat_for: "SeatFor", file: "SaveFile") -> "Controller":
    from othello_lab.console.controller import Controller

    with blaming("--hint"):
        adviser = seat_for(hint, sitting.game.size)
    return Controller(sitting, adviser, seat_for, file, draw_last)


def _seats(runs_dir: Path, streams: "np.random.SeedSequence") -> "SeatFor":
    """Return a function that makes seats. Each seat has a random generator, so hints change no later move."""
    import numpy as np

    from othello_lab.agent.trained import board_size
    from othello_lab.console.seat import Seat
    from othello_lab.experiment.run.player_names import find
    from othello_lab.game.catalogue import make

    def seat_for(text: str, size: int) -> Seat:
        player = find(text, runs_dir, board_size)
        return Seat(player.name, make(player.text, size), np.random.default_rng(*streams.spawn(1)), text)

    return seat_for
