"""Checkpoints: arrays and JSON in one safetensors file, written all or not at all, with a digest.

Nothing here can run code from a file: no pickle.
"""

import hashlib
import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save as to_bytes

VERSION = 1
SUFFIX = ".safetensors"
Arrays = dict[str, NDArray[Any]]
Values = dict[str, Any]


class CheckpointError(ValueError):
    """A checkpoint that cannot be written, found, read or used."""


def path_of(directory: Path | None, name: str) -> Path:
    """Return the file of the checkpoint NAME; raise CheckpointError for a name that leaves the directory."""
    if directory is None:
        raise CheckpointError("this agent has no place for checkpoints: start it with --checkpoint-dir")
    if not re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*", name) or ".." in name:
        raise CheckpointError(f"{name!r} is no checkpoint name: use letters, digits, '-', '_' and '.' only")
    return directory / (name.removesuffix(SUFFIX) + SUFFIX)


def save(path: Path, arrays: Arrays, values: Values) -> None:
    """Write a checkpoint to a temporary name, flush it to the disk and rename it; raise CheckpointError."""
    text = json.dumps(values, sort_keys=True)
    contiguous = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    metadata = {"version": str(VERSION), "values": text, "digest": _digest(contiguous, text)}
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            file.write(to_bytes(contiguous, metadata))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise CheckpointError(f"the checkpoint {path} could not be written: {error.strerror}") from None


def load(path: Path) -> tuple[Arrays, Values]:
    """Read a checkpoint; raise CheckpointError if it is missing, damaged or of another version."""
    if not path.is_file():
        raise CheckpointError(f"there is no checkpoint {path}")
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  no mapping
    except (SafetensorError, OSError, ValueError, TypeError, KeyError) as error:
        raise CheckpointError(f"{path} is no readable checkpoint: {error}") from None
    if metadata.get("version") != str(VERSION):
        found = metadata.get("version", "none")
        raise CheckpointError(f"{path} has checkpoint version {found}, this program reads version {VERSION}")
    text = metadata.get("values", "")
    if metadata.get("digest") != _digest(arrays, text):
        raise CheckpointError(f"{path} is damaged: its digest does not match its content")
    values = json.loads(text)
    return arrays, values


def _digest(arrays: Arrays, text: str) -> str:
    digest = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
