"""Damaged files, drawn by a seed. OTHELLO_DAMAGED_FILES asks for more files of each kind."""

import os
from collections.abc import Iterator

import numpy as np

_FILES = int(os.environ.get("OTHELLO_DAMAGED_FILES", "40"))

_PAGE = 4096  # The page size of SQLite, in bytes.


def damaged_files(whole: bytes) -> Iterator[bytes]:
    rng = np.random.default_rng(1)
    for _ in range(_FILES):
        while (data := _damaged(whole, rng)) == whole:
            pass
        yield data


def _damaged(whole: bytes, rng: np.random.Generator) -> bytes:
    start, end = sorted(int(at) for at in rng.integers(0, len(whole) + 1, 2))
    short = min(end, start + int(rng.integers(1, 40)))
    match int(rng.integers(7)):
        case 0:
            return whole[:start]
        case 1:
            return whole[:start] + whole[short:]
        case 2:
            return whole[:end] + whole[start:]
        case 3:
            return whole[:start] + bytes([int(rng.choice([0, 255]))]) * (short - start) + whole[short:]
        case 4:
            to, page = (int(at) * _PAGE for at in rng.integers(0, len(whole) // _PAGE + 1, 2))
            return whole[:to] + whole[page : page + _PAGE] + whole[to + _PAGE :]
        case _:
            changed = bytearray(whole)
            for at in rng.integers(0, len(whole), int(rng.integers(1, 20))):
                changed[at] = int(rng.integers(256))
            return bytes(changed)
