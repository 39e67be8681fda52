"""Checkpoints: arrays and JSON in one safetensors file, written all or not at all, with a digest.

The kind says whose file it is, such as `dqn`: what stands in the values is for that kind of agent to read.
Nothing here can run code from a file: no pickle. The digest is the SHA-256 of the whole file with zeros where
the digest stands, so there is no byte that may change unnoticed.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import DTypeLike, NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as from_bytes
from safetensors.numpy import save as to_bytes

from othello_lab.game.errors import FailedError
from othello_lab.game.files import WEIGHTS, read_bytes, replace

VERSION = 2
SUFFIX = ".safetensors"
Arrays = dict[str, NDArray[Any]]
Values = dict[str, Any]
Forms = Mapping[str, tuple[tuple[int, ...], DTypeLike]]
"""The shapes and dtypes of arrays by their names."""
Typed = TypeVar("Typed")
C = TypeVar("C")
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""A value of a checkpoint that counts something."""

# One key of the metadata for everything, since safetensors writes several in an order that changes.
_KEY = "checkpoint"
_BLANK = "0" * 64
_LONGEST_REASON = 300


class CheckpointError(FailedError):
    """A checkpoint that cannot be written, found, read or used."""


def path_of(directory: Path | None, name: str) -> Path:
    """Return the file of the checkpoint NAME; raise CheckpointError for a name that leaves the directory."""
    if directory is None:
        raise CheckpointError("this agent has no place for checkpoints: start it with --checkpoint-dir")
    if not re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*", name) or ".." in name:
        raise CheckpointError(f"{name!r} is no checkpoint name: use letters, digits, '-', '_' and '.' only")
    return directory / (name.removesuffix(SUFFIX) + SUFFIX)


def save(path: Path, kind: str, arrays: Arrays, values: Values) -> None:
    """Write a checkpoint, all of it or nothing, and flush it to the disk; raise CheckpointError.

    The same content gives the same bytes.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, _encode(kind, arrays, values))
    except OSError as error:
        raise CheckpointError(f"the checkpoint {path} could not be written: {error.strerror}") from None


class Stored(NamedTuple):
    """A checkpoint as it was read."""

    path: Path
    kind: str
    arrays: Arrays
    values: Values


def load(path: Path, kind: str | None = None) -> Stored:
    """Read a checkpoint, of that kind or of any.

    Raises CheckpointError if it is missing, damaged, of another version or kind, or of a training that has
    diverged.
    """
    try:
        data = read_bytes(path, WEIGHTS)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise CheckpointError(f"there is no checkpoint {path}") from None
    except OSError as error:
        raise CheckpointError(f"the checkpoint {path} could not be read: {error.strerror}") from None
    record = _record(path, data)
    if record.get("version") != VERSION:
        found = repr(record["version"])[:20] if "version" in record else "none"
        raise CheckpointError(f"{path} has checkpoint version {found}, this program reads version {VERSION}")
    if record.get("digest") != _digest(data, str(record.get("digest"))):
        raise CheckpointError(f"{path} is damaged: its digest does not match its content")
    told, values = _content(path, record)
    if kind not in (None, told):
        raise CheckpointError(f"{path} is not of a {kind} agent: its kind is {told[:40]}")
    try:
        arrays = from_bytes(data)
    except (SafetensorError, ValueError, TypeError, KeyError, OverflowError) as error:
        reason = " ".join(str(error).split())[:_LONGEST_REASON]
        raise CheckpointError(f"{path} is no readable checkpoint: {reason}") from None
    _check_finite(path, arrays)
    return Stored(path, told, arrays, values)


def _check_finite(path: Path, arrays: Arrays) -> None:
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise CheckpointError(
                f"{path} has values that are no finite numbers in {name[:60]!r}: "
                "the training that made them has diverged"
            )


def remove(path: Path) -> Path:
    """Remove a checkpoint, if it is there, and return its path; raise CheckpointError if that cannot be."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise CheckpointError(f"the checkpoint {path} could not be removed: {error.strerror}") from None
    return path


def check_arrays(path: Path, arrays: Arrays, expected: Forms) -> None:
    """Raise CheckpointError unless the arrays have exactly these names, shapes and dtypes."""
    for name in sorted(arrays.keys() ^ expected.keys()):
        raise CheckpointError(f"{path} {'lacks' if name in expected else 'has an unknown'} array {name!r}")
    for name, (shape, dtype) in expected.items():
        found, wanted = arrays[name], np.dtype(dtype)
        if found.shape != shape or found.dtype != wanted:
            raise CheckpointError(
                f"{path} has another array {name!r}: {found.dtype} {list(found.shape)}, "
                f"expected {wanted} {list(shape)}"
            )


def forms_of(arrays: Arrays) -> Forms:
    """Return the shapes and dtypes of arrays, for `check_arrays` of others."""
    return {name: (array.shape, array.dtype) for name, array in arrays.items()}


def typed(path: Path, values: Values, form: type[Typed]) -> Typed:
    """Return the values as a dataclass or msgspec.Struct; raise CheckpointError if they do not fit its types.

    A float is no int, nor is True. Further values are passed over.
    """
    try:
        return msgspec.convert(values, form)
    except (msgspec.ValidationError, OverflowError) as error:
        raise CheckpointError(f"{path} does not fit this version: {str(error)[:_LONGEST_REASON]}") from None


def generator(path: Path, state: object) -> np.random.Generator:
    """Return a generator in a state that `bit_generator.state` gave; raise CheckpointError if it is none."""
    bits = np.random.PCG64()
    try:
        bits.state = state  # type: ignore[assignment]  # whatever the file holds: numpy looks
    except (TypeError, ValueError, KeyError, OverflowError):
        raise CheckpointError(f"{path} holds no valid random state") from None
    return np.random.Generator(bits)


def _encode(kind: str, arrays: Arrays, values: Values) -> bytes:
    # With sorted keys the digest comes before anything else that could look like it.
    record = json.dumps(
        {"digest": _BLANK, "kind": kind, "values": values, "version": VERSION}, sort_keys=True
    )
    contiguous = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    data = to_bytes(contiguous, {_KEY: record})
    return data.replace(_BLANK.encode(), hashlib.sha256(data).hexdigest().encode(), 1)


def _digest(data: bytes, recorded: str) -> str:
    """Return the digest that a file should record, where it records `recorded`."""
    return hashlib.sha256(data.replace(recorded.encode(errors="replace"), _BLANK.encode(), 1)).hexdigest()


def _content(path: Path, record: Values) -> tuple[str, Values]:
    """Return the kind of a checkpoint and its values."""
    values, kind = record.get("values"), record.get("kind")
    if not (isinstance(values, dict) and isinstance(kind, str) and kind.isprintable()):
        raise CheckpointError(
            f"{path} does not fit this version: its kind or its values are missing or wrong"
        )
    return kind, values


def _record(path: Path, data: bytes) -> Values:
    """What stands in the metadata of a safetensors file: a length of 8 bytes, then JSON, then the arrays."""
    try:
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")].decode())
        record = json.loads(header["__metadata__"][_KEY])
    except (ValueError, KeyError, TypeError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise CheckpointError(f"{path} is no readable checkpoint: damaged, or a file of another kind")
    return record


Columns = TypeVar("Columns", bound=tuple[Any, ...])
"""A NamedTuple of arrays [n, ...], a row for each decision."""
_PREFIX = "memory."
"""What the names of the arrays begin with in a checkpoint, unless told otherwise."""


def join_columns(parts: Sequence[Columns]) -> Columns:
    """Return the rows of all parts, at least one, in order."""
    return type(parts[0])(*map(np.concatenate, zip(*parts, strict=True)))


def column_arrays(columns: Any, prefix: str = _PREFIX) -> Arrays:  # noqa: ANN401  no type is a NamedTuple
    """Return columns as arrays of a checkpoint."""
    return {prefix + name: array for name, array in columns._asdict().items()}


def columns_of(stored: Stored, like: Columns, prefix: str = _PREFIX) -> tuple[Columns, Arrays]:
    """Return the columns of a checkpoint, which has others too, and the others; raises CheckpointError.

    They have any number of rows, and else the form of `like`.
    """
    held = {name: array for name, array in stored.arrays.items() if name.startswith(prefix)}
    wanted = column_arrays(like, prefix)
    n = min((len(np.atleast_1d(held[name])) for name in wanted if name in held), default=0)
    check_arrays(stored.path, held, {name: ((n, *a.shape[1:]), a.dtype) for name, a in wanted.items()})
    rest = {name: array for name, array in stored.arrays.items() if name not in held}
    return type(like)(*(held[name] for name in wanted)), rest


_MEANING = ("units", "output")
"""Options that change what a network says, and not the form of its arrays."""


class SavedPolicy(NamedTuple, Generic[C]):
    """The policy of a checkpoint, whose arrays are those that its configuration describes."""

    path: Path
    size: int
    """Of the board."""
    config: C
    arrays: Arrays
    """Those of the policy alone, by their names in the checkpoint."""

    def check_fits(self, own: C, arrays: Arrays) -> None:
        """Raise CheckpointError unless the arrays have the form of these, which `own` describes, and mean the
        same.
        """
        saved, ours = ([getattr(config, name, None) for name in _MEANING] for config in (self.config, own))
        if forms_of(self.arrays) != forms_of(arrays) or saved != ours:
            raise self.refusal(own)

    def refusal(self, own: C) -> CheckpointError:
        """Return the error that says how this policy differs from what `own` describes."""
        return CheckpointError(f"{self.path} holds another network: {differences(self.config, own)}")


class Identity(msgspec.Struct):
    """The values that every checkpoint of a learner has."""

    size: int
    config: dict[str, Any]


def config_of(stored: Stored, size: int, form: type[C]) -> C:
    """Return the configuration of a checkpoint, of that dataclass, if it is for boards of `size`.

    Raises CheckpointError.
    """
    found = typed(stored.path, stored.values, Identity)
    if found.size != size:
        made = f"{found.size}x{found.size}"
        raise CheckpointError(
            f"{stored.path} is for {made} boards, this game is {size}x{size}: use the same --size"
        )
    names = {field.name for field in fields(form)}  # type: ignore[arg-type]  # a dataclass
    if unknown := sorted(found.config.keys() - names):
        raise CheckpointError(
            f"{stored.path} does not fit this version: {stored.kind} has no option {unknown[0][:40]!r}"
        )
    return typed(stored.path, found.config, form)


def arrays_of(stored: Stored, prefix: str, describe: Callable[[Arrays], Forms | None]) -> Arrays:
    """Return the arrays of a checkpoint whose names begin with a prefix; raises CheckpointError.

    They must be exactly those that `describe` returns; it is given those that there are. A shipped network
    is stored as halves, to be small, and returned as float32.
    """
    held = {name: array for name, array in stored.arrays.items() if name.startswith(prefix)}
    found = {name: a.astype(np.float32) if a.dtype == np.float16 else a for name, a in held.items()}
    try:
        forms = describe(found)
    except ValueError as error:
        raise CheckpointError(f"{stored.path} does not fit this version: {error}") from None
    if forms is None:
        raise CheckpointError(f"{stored.path} does not hold the network that it describes")
    check_arrays(stored.path, found, forms)
    return found


def differences(found: Any, own: Any) -> str:  # noqa: ANN401  two configurations of one method
    """Say which options differ, and how."""
    theirs, ours = asdict(found), asdict(own)
    return ", ".join(f"{key}={theirs[key]}, here {ours[key]}" for key in ours if theirs[key] != ours[key])
