"""Checkpoints. A checkpoint is one safetensors file with arrays and JSON. It contains no pickle.

The kind of a file names its learner. The digest is the SHA-256 of the file with zeros in place of the digest.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import DTypeLike, NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as from_bytes
from safetensors.numpy import save as to_bytes

from othello_lab.game.errors import FailedError
from othello_lab.game.safe_files import WEIGHTS, read_bytes, replace

VERSION = 2
SUFFIX = ".safetensors"
Arrays = dict[str, NDArray[Any]]
Values = dict[str, Any]
Forms = Mapping[str, tuple[tuple[int, ...], DTypeLike]]  # Maps the name of each array to its shape and dtype.
C = TypeVar("C")
S = TypeVar("S", bound="SavedState")
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]  # A count in a checkpoint: a nonnegative integer.

_KEY = "checkpoint"  # All metadata has one key, because safetensors orders keys at random.
_BLANK = "0" * 64
_LONGEST_REASON = 300


class CheckpointError(FailedError):
    """A checkpoint cannot be written, read or used."""


def path_of(directory: Path | None, name: str) -> Path:
    """Return the path of a checkpoint. Raises CheckpointError for an invalid name."""
    if directory is None:
        raise CheckpointError("this agent has no place for checkpoints: start it with --checkpoint-dir")
    if not re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*", name) or ".." in name:
        raise CheckpointError(f"{name!r} is no checkpoint name: use letters, digits, '-', '_' and '.' only")
    return directory / (name.removesuffix(SUFFIX) + SUFFIX)


def save(path: Path, kind: str, arrays: Arrays, values: Values) -> None:
    """Write a checkpoint atomically, with equal bytes for equal content. Raises CheckpointError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, _encode(kind, arrays, values))
    except OSError as error:
        raise CheckpointError(f"the checkpoint {path} could not be written: {error.strerror}") from None


class Stored(NamedTuple):
    """A checkpoint in memory."""

    path: Path
    kind: str
    arrays: Arrays
    values: Values


def load(path: Path, kind: str | None = None) -> Stored:
    """Read a checkpoint of `kind`, or of any kind for None. Raises CheckpointError for an invalid file."""
    try:
        data = read_bytes(path, WEIGHTS)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise CheckpointError(f"there is no checkpoint {path}") from None
    except OSError as error:
        raise CheckpointError(f"the checkpoint {path} could not be read: {error.strerror}") from None
    record = _record(path, data)
    if record.get("version") != VERSION:
        version = repr(record["version"])[:20] if "version" in record else "none"
        raise CheckpointError(
            f"{path} has checkpoint version {version}, this program reads version {VERSION}"
        )
    if record.get("digest") != _digest(data, str(record.get("digest"))):
        raise CheckpointError(f"{path} is damaged: its digest does not match its content")
    values, its_kind = record.get("values"), record.get("kind")
    if not (isinstance(values, dict) and isinstance(its_kind, str) and its_kind.isprintable()):
        raise CheckpointError(
            f"{path} does not fit this version: its kind or its values are missing or wrong"
        )
    if kind not in (None, its_kind):
        raise CheckpointError(f"{path} is not of a {kind} agent: its kind is {its_kind[:40]}")
    try:
        arrays = from_bytes(data)
    except (SafetensorError, ValueError, TypeError, KeyError, OverflowError) as error:
        reason = " ".join(str(error).split())[:_LONGEST_REASON]
        raise CheckpointError(f"{path} is no readable checkpoint: {reason}") from None
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise CheckpointError(
                f"{path} has values that are no finite numbers in {name[:60]!r}: "
                "the training that made them has diverged"
            )
    return Stored(path, its_kind, arrays, values)


def remove(path: Path) -> Path:
    """Remove a checkpoint if it exists, and return its path. Raises CheckpointError on failure."""
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
        array = arrays[name]
        if array.shape != shape or array.dtype != np.dtype(dtype):
            raise CheckpointError(
                f"{path} has another array {name!r}: {array.dtype} {list(array.shape)}, "
                f"expected {np.dtype(dtype)} {list(shape)}"
            )


def forms_of(arrays: Arrays) -> Forms:
    """Return the shape and dtype of each array."""
    return {name: (array.shape, array.dtype) for name, array in arrays.items()}


def typed(path: Path, values: Values, form: type[C]) -> C:
    """Return values as a dataclass or Struct. Raises CheckpointError. A float or True is not an int."""
    try:
        return msgspec.convert(values, form)
    except (msgspec.ValidationError, OverflowError) as error:
        raise CheckpointError(f"{path} does not fit this version: {str(error)[:_LONGEST_REASON]}") from None


def generator(path: Path, state: object) -> np.random.Generator:
    """Return a generator with a saved state of `bit_generator.state`. Raises CheckpointError if invalid."""
    bits = np.random.PCG64()
    try:
        bits.state = state  # type: ignore[assignment]  # numpy checks it
    except (TypeError, ValueError, KeyError, OverflowError):
        raise CheckpointError(f"{path} holds no valid random state") from None
    return np.random.Generator(bits)


def _encode(kind: str, arrays: Arrays, values: Values) -> bytes:
    # Sorted keys put the digest first, before any value that looks like a digest.
    record = json.dumps(
        {"digest": _BLANK, "kind": kind, "values": values, "version": VERSION}, sort_keys=True
    )
    contiguous = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    data = to_bytes(contiguous, {_KEY: record})
    return data.replace(_BLANK.encode(), hashlib.sha256(data).hexdigest().encode(), 1)


def _digest(data: bytes, recorded: str) -> str:
    return hashlib.sha256(data.replace(recorded.encode(errors="replace"), _BLANK.encode(), 1)).hexdigest()


def _record(path: Path, data: bytes) -> Values:
    """Return the metadata, which is JSON. The first 8 bytes of the file hold its length."""
    try:
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")].decode())
        record = json.loads(header["__metadata__"][_KEY])
    except (ValueError, KeyError, TypeError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise CheckpointError(f"{path} is no readable checkpoint: damaged, or a file of another kind")
    return record


class SavedState(msgspec.Struct):
    """The values of a learner in a full checkpoint, for resuming."""

    updates: Count
    numbers: dict[str, float]  # Numbers for the log.
    draws: dict[str, Any]  # The state of the learner's random generator.


def saved_state(stored: Stored, ours: S) -> S:
    """Return a learner's values in a checkpoint. Raises CheckpointError if the values do not fit `ours`."""
    saved = typed(stored.path, stored.values, type(ours))
    if saved.numbers.keys() != ours.numbers.keys():
        names = [*saved.numbers][:9]
        raise CheckpointError(f"{stored.path} does not fit this version: its numbers are {names}")
    return saved


class Identity(msgspec.Struct):
    """The values in the checkpoints of all learners."""

    size: int
    config: dict[str, Any]


def config_of(stored: Stored, size: int, form: type[C], partial: bool = False) -> C:
    """Return a checkpoint's options as `form`; `partial` ignores unknown options. Raises CheckpointError."""
    identity = typed(stored.path, stored.values, Identity)
    if identity.size != size:
        board = f"{identity.size}x{identity.size}"
        raise CheckpointError(
            f"{stored.path} is for {board} boards, this game is {size}x{size}: use the same --size"
        )
    names = {field.name for field in fields(form)}  # type: ignore[arg-type]  # form is a dataclass
    if (unknown := sorted(identity.config.keys() - names)) and not partial:
        raise CheckpointError(
            f"{stored.path} does not fit this version: {stored.kind} has no option {unknown[0][:40]!r}"
        )
    return typed(stored.path, identity.config, form)


def arrays_of(stored: Stored, prefix: str, describe: Callable[[Arrays], Forms]) -> Arrays:
    """Return the arrays of a checkpoint with names that begin with `prefix`. Float16 becomes float32.

    Raises CheckpointError if the shapes and dtypes differ from the result of `describe`.
    """
    arrays = as_float32({name: array for name, array in stored.arrays.items() if name.startswith(prefix)})
    try:
        forms = describe(arrays)
    except ValueError as error:
        raise CheckpointError(f"{stored.path} does not fit this version: {error}") from None
    check_arrays(stored.path, arrays, forms)
    return arrays


def as_float32(arrays: Arrays) -> Arrays:
    """Return arrays with float32 instead of float16."""
    return {name: a.astype(np.float32) if a.dtype == np.float16 else a for name, a in arrays.items()}


def differences(saved: Any, ours: Any) -> str:  # noqa: ANN401  two configurations of one method
    """Return the options that differ between two configurations, with both values, as text."""
    theirs, mine = asdict(saved), asdict(ours)
    return ", ".join(f"{key}={theirs[key]}, here {mine[key]}" for key in theirs if theirs[key] != mine[key])
