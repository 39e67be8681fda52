"""Find players by registry text, by checkpoint, by run, or by the command line of an agent."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from othello_lab.experiment.run.outcomes import SELF
from othello_lab.experiment.run.record import agent_colours, learner_names
from othello_lab.experiment.run.run_folder import FINAL_POLICY, SUFFIX, RunFolder, RunFolderError, run_names
from othello_lab.game import catalogue as registry
from othello_lab.game.notation import USUAL_SIZE, check_size
from othello_lab.game.program_trust import check_may_start, command_words, note, search_path, trust
from othello_lab.game.registry import RegistryError, Spec, compose, did_you_mean, parse
from othello_lab.game.short_names import short_name

TRAINED: Final = "trained"  # The registry name of a player that uses a checkpoint, as in `trained:PATH`.
# A function that returns a checkpoint's board size, and raises ValueError for any other file.
BoardSize = Callable[[Path], int | None]


@dataclass(frozen=True)
class Named:
    """A player found by name."""

    text: str  # The registry text of the player.
    size: int | None  # The only supported board size, or None if the player supports several sizes.
    name: str  # The short name of the player.
    opponent: str | None = None  # The training opponent. None for self-play, and for a player without a run.
    command: str | None = None  # The command line of an RL-Glue agent, otherwise None.
    # The player's only colour in training, otherwise an empty string.
    colour: str = field(default="", compare=False)


def find(text: str, runs: Path, board_size: BoardSize) -> Named:
    """Return the player with the name `text`. Raises ValueError if there is no such player.

    The name is a registry text, a checkpoint's path, the name or folder of a run with a usable checkpoint, or
    an RL-Glue agent's command line. Raises UntrustedError for a command line from a file.
    """
    if _is_registered(text) and (is_player(text) or text not in run_names(runs)):
        path = _checkpoint_in(parse(text))
        return Named(text, board_size(path) if path else None, short_name(text))
    if os.path.isfile(text) or text.endswith(SUFFIX):  # Path.is_file fails for a very long name
        try:
            player = trained(Path(text))
            return Named(player, board_size(Path(text)), short_name(player))
        except ValueError:
            if not os.access(text, os.X_OK):
                raise
    return _of_run(text, runs)


def called(players: Sequence[Named]) -> dict[str, Named]:
    """Return a dictionary of players by short name, or by registry text if the short name is ambiguous."""
    count = Counter(player.name for player in players)
    return {player.name if count[player.name] == 1 else player.text: player for player in players}


def board_for(players: Sequence[Named], size: int | None) -> int:
    """Return `size`, or the first size required by a player, or USUAL_SIZE. Raises ValueError if invalid."""
    if size is None:
        size = next((player.size for player in players if player.size), USUAL_SIZE)
    check_size(size)
    return size


def _is_registered(text: str) -> bool:
    try:
        return parse(text).name in registry.PLAYERS.entries
    except RegistryError:
        return False


def _checkpoint_in(spec: Spec) -> Path | None:
    """Return the path in `trained:PATH` or in a search's `eval` option, otherwise None."""
    if spec.name in {TRAINED, *learner_names()}:
        return Path(spec.argument) if spec.argument else None
    return _checkpoint_in(parse(spec.options["eval"])) if "eval" in spec.options else None


def trained(path: Path) -> str:
    """Return the registry text of a checkpoint."""
    return compose({"name": TRAINED, "argument": path.as_posix()})


def of_folder(folder: Path) -> Named:
    """Return the player of a run folder. Raises ValueError, and UntrustedError for an untrusted command."""
    return _of_run(folder.name, folder.parent)


def _of_run(name: str, runs: Path) -> Named:
    try:
        folder = RunFolder.open(runs, name)
    except (RunFolderError, OSError):
        return _of_command(name, runs)
    record, run_name = folder.read_record(), folder.path.resolve().name
    text, size, opponent = record.agent.text, record.environment.size, record.environment.opponent
    opponent = None if opponent == SELF else opponent
    note(folder.record, [text, opponent])
    if record.agent.command and (checkpoints := folder.saved()):
        text = agent_player(record.agent.command, folder.checkpoints / checkpoints[-1].name)
        note(folder.record, text)
    if text and is_player(text):
        registry.make(text, size or USUAL_SIZE).close()  # raises UntrustedError for an untrusted program
        return Named(text, size, run_name, opponent)
    for saved in (FINAL_POLICY, *(checkpoint.name for checkpoint in reversed(folder.saved()))):
        if (path := folder.checkpoints / f"{saved}{SUFFIX}").is_file():
            colours = agent_colours(record.environment.first)
            colour = colours[0] if len(colours) == 1 else ""
            return Named(trained(path), size, run_name, opponent, colour=colour)
    raise ValueError(f"the run {folder.path} has no checkpoint to play with: its agent saved none there")


def _of_command(text: str, runs: Path) -> Named:
    """Return an RL-Glue agent as a player. Raises ValueError for a text that names no program."""
    try:
        command_words(text, [search_path()])
    except ValueError as error:
        names = [*registry.PLAYERS.entries, *run_names(runs)]
        meant = did_you_mean(text, names) or registry.PLAYERS.instead_of(text)
        raise ValueError(f"there is no player, run or checkpoint {text!r}, and {error}{meant}") from None
    check_may_start(text, is_command=True)
    player = agent_player(text)
    trust([player])
    return Named(player, None, text, command=text)


def agent_player(command: str, checkpoint: Path | None = None) -> str:
    """Return the registry text of an agent's command line. The agent loads `checkpoint` if given."""
    load = {} if checkpoint is None else {"load": checkpoint.as_posix()}
    return compose({"name": "agent", "argument": command, **load})


def is_player(text: str) -> bool:
    """Return whether a text names a registered player. A learner is a player only with a checkpoint."""
    if not _is_registered(text):
        return False
    spec = parse(text)
    return spec.name not in learner_names() or spec.argument is not None
