"""The device that torch computes on, as a text names it, and work there, recorded as CUDA graphs."""

import logging
import re
import time
import warnings
from collections.abc import Callable, Iterable
from typing import NamedTuple

import torch

NAMES = "auto, cpu, cuda or cuda:N"


class DeviceError(ValueError):
    """A text that names no device, or one that is not there."""


def read_device(text: str) -> torch.device:
    """Return the device of `auto`, `cpu`, `cuda` or `cuda:N`; raises DeviceError where there is none such.

    auto is the first CUDA device, where there is one, else the processor.
    """
    if not re.fullmatch("auto|cpu|cuda(:[0-9]{1,3})?", text):
        raise DeviceError(f"{text[:40]!r} is no device: expected {NAMES}")
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if text == "auto":
        text = "cuda" if count else "cpu"
    if text == "cpu":
        return torch.device("cpu")
    index = int(text.partition(":")[2] or 0)
    if not count:
        raise DeviceError(f"{text}: torch sees no CUDA device here; use cpu")
    if index >= count:
        raise DeviceError(f"{text}: the last CUDA device here is cuda:{count - 1}")
    return torch.device("cuda", index)


_TIMED_EVERY = 64
"""Rounds between those whose pieces are timed on CUDA."""
log = logging.getLogger("agent")


class Piece(NamedTuple):
    """A part of the work, which changes tensors where they lie and waits for nothing."""

    name: str
    work: Callable[[], None]
    times: int = 1
    """How often it is done in a round."""


class Graphs:
    """Does pieces of work round by round."""

    def __init__(self, pieces: Iterable[Piece], device: torch.device) -> None:
        self._pieces, self._cuda = list(pieces), device.type == "cuda"
        if self._cuda:
            torch.cuda.set_device(device)  # where streams and graphs are made
        self._seconds = {piece.name: 0.0 for piece in self._pieces}
        """Of each piece, over the rounds that were timed."""
        self._done = 0

    def record(self) -> None:
        """Do three rounds and record the pieces, on CUDA; elsewhere they go on one call after another.

        So they do where a recording fails, which is logged.
        """
        if not self._cuda:
            return
        self._on_the_side()
        try:
            self._pieces = [_recorded(piece) for piece in self._pieces]
        except RuntimeError as error:
            torch.cuda.synchronize()
            log.warning("slower, as no CUDA graph could be recorded: %s", str(error).splitlines()[0])

    def _on_the_side(self) -> None:
        """Do three rounds on a stream of their own, as recording asks for."""
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]  # torch does not type it
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that the optimiser may be recorded and now is not
            for _ in range(3):
                self._round()
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.synchronize()

    def _round(self) -> None:
        for piece in self._pieces:
            for _ in range(piece.times):
                piece.work()

    def run(self) -> None:
        """Do a round: on CUDA only ask for it, but for one that is timed."""
        self._done += 1
        if not self._cuda:
            self._timed(lambda: None)
        elif self._done % _TIMED_EVERY == 0:
            torch.cuda.synchronize()
            self._timed(torch.cuda.synchronize)
        else:
            self._round()

    def _timed(self, wait: Callable[[], None]) -> None:
        for piece in self._pieces:
            start = time.perf_counter()
            for _ in range(piece.times):
                piece.work()
            wait()
            self._seconds[piece.name] += time.perf_counter() - start

    def profile(self) -> str:
        """Say where the time goes."""
        total = sum(self._seconds.values()) or 1.0
        return ", ".join(f"{name} {seconds / total:.0%}" for name, seconds in self._seconds.items())


def _recorded(piece: Piece) -> Piece:
    """Return a piece as a CUDA graph: the same kernels over the same memory, asked for by one call."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        piece.work()
    return piece._replace(work=graph.replay)
