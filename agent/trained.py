"""A checkpoint of any method as a player and as an evaluator: `trained:PATH`, or `METHOD:PATH`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import CheckpointError, Stored
from othello_lab.agent.learner import find_method, method_names
from othello_lab.game.catalogue import Entry
from othello_lab.game.registry import RegistryError, Spec

if TYPE_CHECKING:
    from othello_lab.agent.policy import Learned
    from othello_lab.game.evaluators.evaluator import Evaluator
    from othello_lab.game.players.player import Player

NAME = "trained"
PRETRAINED = "pretrained"
SHIPPED = (PRETRAINED, "for-search")  # This package's networks: for play, and for searches.


def make_player(spec: Spec, size: int) -> Player:
    """Return the player of a text such as `trained:PATH`. Raises RegistryError."""
    with _reading():
        return _policy(spec, size, "a player").player()


def make_evaluator(spec: Spec, size: int) -> Evaluator:
    """Return the evaluator of a text such as `trained:PATH`. Raises RegistryError."""
    with _reading():
        return _policy(spec, size, "an evaluator").evaluator()


@contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except CheckpointError as error:
        raise RegistryError(str(error)) from None


def board_size(path: Path) -> int | None:
    """Return the board size of a checkpoint, or None for a name in SHIPPED. Raises CheckpointError."""
    if str(path) in SHIPPED:
        return None
    size = _load(path).values.get("size")
    return size if type(size) is int else None


def shipped(method: str, size: int, name: str = PRETRAINED) -> Path:
    """Return the path of a shipped network. Raises CheckpointError if there is none for the size."""
    folder = Path(__file__).parent / method / name
    path = folder / f"{size}x{size}{checkpoint.SUFFIX}"
    if not path.exists():
        sizes = " and ".join(sorted(file.stem for file in folder.glob(f"*{checkpoint.SUFFIX}")))
        ships = f"it ships for {sizes}" if sizes else f"train one: othello run --agent {method} --size {size}"
        raise CheckpointError(f"no {method}:{name} for {size}x{size} boards; {ships}")
    return path


def _policy(spec: Spec, size: int, seat: str) -> Learned[Any]:
    if not spec.argument:
        raise RegistryError(f"{spec.name} as {seat} is {spec.name}:PATH, with the path of a checkpoint")
    path, kind = _path(spec, size), None if spec.name == NAME else spec.name
    stored = _load_shipped(path) if _is_shipped(spec) else _load(path, kind)
    return find_method(stored.kind).open(stored, size)


def _is_shipped(spec: Spec) -> bool:
    return spec.argument in SHIPPED and spec.name != NAME


def _path(spec: Spec, size: int) -> Path:
    name = spec.argument or ""
    return shipped(spec.name, size, name) if _is_shipped(spec) else Path(name)


def _files(spec: Spec, size: int) -> tuple[Path, ...]:
    from othello_lab.game.evaluators.evaluator import predictions_path

    with _reading():
        path = _path(spec, size)
    return (path, *filter(Path.is_file, [predictions_path(path)]))


def _load(path: Path, kind: str | None = None) -> Stored:
    stored = checkpoint.load(path, kind)
    if stored.kind not in method_names():
        known, kind = ", ".join(method_names()), stored.kind[:40]
        raise CheckpointError(f"{stored.path} is of no learner: its kind is {kind}, expected {known}")
    return stored


@lru_cache(maxsize=4)
def _load_shipped(path: Path) -> Stored:
    """Return a shipped network with read-only arrays. It is cached, because a read takes up to 0.2 s."""
    stored = _load(path)
    arrays = checkpoint.as_float32(stored.arrays)
    for array in arrays.values():
        array.flags.writeable = False
    return stored._replace(arrays=arrays)


PLAYER: Entry[Player] = Entry(make_player, "the trained policy in a checkpoint", "PATH", files=_files)
EVALUATOR: Entry[Evaluator] = Entry(
    make_evaluator, "the values of the trained policy in a checkpoint", "PATH", files=_files
)
