"""Ways to run pieces of work (call by call, compiled, recorded as CUDA graphs), and their times."""

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import torch

SPEEDS = ("auto", "eager", "compile", "graph", "graph-compile")
"""graph: recorded as CUDA graphs; compile: by torch.compile; auto: graph on CUDA, else eager."""
_TIMED_EVERY = 64
"""Rounds between those whose pieces are timed on CUDA."""


class Piece(NamedTuple):
    """A part of the work, which changes tensors where they lie and waits for nothing."""

    name: str
    work: Callable[[], None]
    times: int = 1
    """How often it is done in a round."""
    compiles: bool = True
    """Whether torch.compile may take it: not what goes backwards through a network."""


class Rounds:
    """Does pieces of work round by round."""

    def __init__(self, pieces: Iterable[Piece], device: torch.device, speed: str = "auto") -> None:
        """Raises ValueError for CUDA graphs on another device."""
        self._pieces, self._cuda = list(pieces), device.type == "cuda"
        self._speed = ("graph" if self._cuda else "eager") if speed == "auto" else speed
        if self._speed not in SPEEDS:
            raise ValueError(f"speed is {speed!r}, expected one of {', '.join(SPEEDS)}")
        if self._records and not self._cuda:
            raise ValueError(f"speed={speed} needs a CUDA device: take eager, compile or auto")
        if self._cuda:
            torch.cuda.set_device(device)  # where streams and graphs are made
        if "compile" in self._speed:
            self._pieces = [_compiled(piece) for piece in self._pieces]
        self.seconds = {piece.name: 0.0 for piece in self._pieces}
        """Of each piece, over the rounds that were timed."""
        self._done = 0

    @property
    def _records(self) -> bool:
        return self._speed.startswith("graph")

    def warm_up(self) -> str:
        """Do three rounds, and record the pieces where that is wanted; return what was chosen.

        Where a recording fails the pieces go on one call after another.
        """
        if self._cuda:
            self._on_the_side()
        else:
            self._round()
        if not self._records:
            return self._speed
        try:
            self._pieces = [_recorded(piece) for piece in self._pieces]
        except RuntimeError as error:
            torch.cuda.synchronize()
            return f"eager, as no CUDA graph could be recorded: {str(error).splitlines()[0]}"
        return self._speed

    def _on_the_side(self) -> None:
        """Do three rounds on a stream of their own, as recording asks for."""
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]  # torch does not type it
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
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
            self.seconds[piece.name] += time.perf_counter() - start

    def profile(self) -> str:
        """Say where the time goes."""
        total = sum(self.seconds.values()) or 1.0
        return ", ".join(f"{name} {seconds / total:.0%}" for name, seconds in self.seconds.items())


def _compiled(piece: Piece) -> Piece:
    if not piece.compiles:
        return piece
    return piece._replace(work=torch.compile(piece.work, fullgraph=True, dynamic=False))


def _recorded(piece: Piece) -> Piece:
    """Return a piece as a CUDA graph: the same kernels over the same memory, asked for by one call."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        piece.work()
    return piece._replace(work=graph.replay)
