"""Files of anybody: how much of one is read, and an error in one line for whatever is wrong with it."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

LARGEST: Final = 128 * 2**20
"""Bytes of weights that are read: 33 million numbers."""


class PolicyError(ValueError):
    """A file that is no policy that can be played here."""


@contextmanager
def reading(path: Path, expected: str) -> Iterator[None]:
    """Turn whatever goes wrong in reading a file into PolicyError; `expected` is what the file had to be."""
    try:
        yield
    except PolicyError:
        raise
    except Exception as error:  # of many kinds: zipfile alone raises eight for damaged bytes
        # Invalid is where a damaged zip says that something lies.
        if isinstance(error, OSError) and error.strerror and error.errno != errno.EINVAL:
            raise PolicyError(f"the policy {path} could not be read: {error.strerror}") from None
        raise PolicyError(f"{path} {expected}") from None


def read(path: Path) -> bytes:
    """Return what is in a file; raise PolicyError if it cannot be read or is too large."""
    with reading(path, "could not be read"), path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise PolicyError(f"{path} is larger than the {LARGEST} bytes that are read")
    return data


def member(path: Path, archive: ZipFile, name: str, largest: int = LARGEST) -> bytes:
    """Return what a zip holds under a name.

    Raises PolicyError for more than `largest` bytes, and whatever zipfile raises for a damaged file.
    """
    info = archive.getinfo(name)
    # What else zipfile unpacks it unpacks whole, however large.
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise PolicyError(
            f"{path} has {name!r} packed in a way that is not read: expected stored or deflated"
        )
    if info.file_size > largest:
        raise PolicyError(f"{path} has {name!r} of {info.file_size} bytes: at most {largest} are read")
    with archive.open(info) as file:
        return file.read(largest)
