"""Play matches, evaluations and tournaments. A player is a registry text, an object or a function."""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from othello_lab.experiment.compare.match import OPPONENTS, Summary, play_all, play_match
from othello_lab.experiment.compare.tournament.entrants import check_different, entrant
from othello_lab.experiment.compare.tournament.results import Results, ratings_of
from othello_lab.experiment.compare.tournament.schedule import Plan, play_tournament
from othello_lab.experiment.run.player_names import Named, board_for, called
from othello_lab.experiment.show.progress import Display, Tell
from othello_lab.experiment.workers.interrupts import Interrupts
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game.play import Pairing
from othello_lab.game.players.given import is_in_memory, text_of
from othello_lab.game.players.player import Policy
from othello_lab.players import Openings, named, terms
from othello_lab.results import Evaluation, Match, Tournament

Progress = bool | Tell  # True: progress on stderr. Callback arguments: numbers of finished and of all games.


def display_of(progress: Progress, total: int, what: str) -> Display:
    """Return a progress display for `total` games. `what` is the singular noun, such as "game"."""
    tell = progress if callable(progress) else None
    return Display(Console(stderr=True, quiet=progress is not True), 0, total, what, tell)


def play(
    opponent: object = "level:10", size: int | None = None, colour: str = "black", plain: bool = False
) -> None:
    """Start a game between a person and `opponent` in this terminal, like `othello play`.

    `opponent` is any player that the function `player` accepts. The person's colour is black, white or
    random. With `plain`, the output is lines of text.
    """
    from othello_lab.commands.play import command

    player = named(opponent)
    args = [player.text, f"--size={board_for([player], size)}", f"--colour={colour}", *["--plain"] * plain]
    command.main(args, prog_name="othello play", standalone_mode=False)


def match(
    a: object,
    b: object,
    size: int | None = None,
    openings: Openings = None,
    repeat: int = 1,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = False,
) -> Match:
    """Play A against B from each opening, once with each colour. Repeat all games `repeat` times.

    The default `size` is the board size of the first player that supports only one size, otherwise 8. The
    number of processes, `jobs`, does not change the games. Functions and objects always play in this process.
    If `progress` is True, stderr shows the progress. A callback receives the numbers of finished games and
    of all games. Raises ValueError for an unknown player or opening, or an unsupported size.
    """
    one, other = named(a), named(_another(b) if a is b else b)
    board, lines, jobs = terms([one, other], size, openings, repeat, jobs)
    pairing = Pairing(one.text, other.text, board, lines, repeat, seed)
    with Interrupts(), Pool(jobs) as pool:
        summary = play_match(pairing, pool, display_of(progress, pairing.games, "game"))
    _check_all(summary.total.games, pairing.games)
    return Match(summary)


def _another(who: object) -> object:
    """Return a copy of a stateful player for a match against itself. Return any other player unchanged."""
    keeps = hasattr(who, "choose") and not isinstance(who, Policy) and is_in_memory(text_of(who))
    try:
        return deepcopy(who) if keeps else who
    except TypeError as error:
        raise TypeError(f"{type(who).__name__} cannot be copied to play itself ({error}): give two") from None


def evaluate(
    who: object,
    opponents: object = None,
    size: int | None = None,
    openings: Openings = None,
    repeat: int = 1,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = False,
) -> Evaluation:
    """Play a match against each opponent, by default the eight standard ones. Arguments as in `match`."""
    agent, others = named(who), _opponents(opponents, who)
    board, lines, jobs = terms([agent, *others.values()], size, openings, repeat, jobs)
    rest = board, lines, repeat, seed
    summaries = [
        Summary(Pairing(agent.text, other.text, *rest), agent.name, name) for name, other in others.items()
    ]
    planned = sum(summary.match.games for summary in summaries)
    with Pool(jobs) as pool:
        play_all(summaries, pool, display_of(progress, planned, "game"), keep_games=True)
    _check_all(sum(summary.total.games for summary in summaries), planned)
    return Evaluation([Match(summary) for summary in summaries])


def _opponents(opponents: object, who: object) -> dict[str, Named]:
    """Return the opponents by name. None means the standard opponents."""
    if opponents is None:
        return {name: Named(text, None, name) for name, text in OPPONENTS.items()}
    several = opponents if isinstance(opponents, Iterable) and not isinstance(opponents, str) else [opponents]
    return called([named(_another(player) if player is who else player) for player in several])


def tournament(
    players: Sequence[object],
    size: int | None = None,
    openings: Openings = None,
    repeat: int = 1,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = False,
    database: str | Path | None = None,
) -> Tournament:
    """Play all players against each other and rate the players.

    `database` is an SQLite file that stores the games. Stored games are not played again. With a database,
    functions and objects as players raise ValueError. The other arguments and errors are the same as in
    `match`.
    """
    entered = [named(who) for who in players]
    board, lines, jobs = terms(entered, size, openings, repeat, jobs)
    in_memory = [player.text for player in entered if is_in_memory(player.text)]
    if database and in_memory:
        raise ValueError(
            f"{in_memory[0]} is known in this process alone: leave the database or this player out"
        )
    entrants = [entrant(player.text, board) for player in entered]
    check_different(entrants)
    plan = Plan(entrants, board, lines, repeat, seed)
    with TemporaryDirectory() as folder, Pool(jobs) as pool:
        path = Path(database or Path(folder) / "games.sqlite")
        terminal = Console(stderr=True, quiet=progress is not True)
        games = play_tournament(plan, path, pool, terminal, progress if callable(progress) else None).games
    _check_all(len(games), plan.games)
    results = Results.of(entrants, games).sorted()
    return Tournament(results, ratings_of(results))


def _check_all(games: int, planned: int) -> None:
    """Raise KeyboardInterrupt if Ctrl-C or SIGTERM interrupted the games."""
    if games < planned:
        raise KeyboardInterrupt
