"""The line that explains a wait."""

import sys
from io import StringIO

import pytest

from game.kernels import patience


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def heard(monkeypatch: pytest.MonkeyPatch, stderr: StringIO, *compilations: tuple[float, float]) -> str:
    """Return what is said while functions are compiled at these times, from and to, one within another."""
    time = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: time[0])
    monkeypatch.setattr(sys, "stderr", stderr)
    listener = patience.Patience()
    turns = [
        (at, step) for pair in compilations for at, step in zip(pair, ("on_start", "on_end"), strict=True)
    ]
    for at, step in sorted(turns):
        time[0] = at
        getattr(listener, step)(None)
    return stderr.getvalue()


@pytest.mark.parametrize("compilations", [[(0, 9), (2, 3)], [(0, 0.8), (50, 50.8), (99, 99.1)]])
def test_long_compiling_is_explained_once(
    monkeypatch: pytest.MonkeyPatch, compilations: list[tuple[float, float]]
) -> None:
    assert heard(monkeypatch, Terminal(), *compilations).count("compiling the rules") == 1


def test_a_moment_now_and_then_is_no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    assert heard(monkeypatch, Terminal(), (0, 0.1), (50, 50.1), (99, 99.1)) == ""


def test_only_a_person_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert heard(monkeypatch, StringIO(), (0, 9), (2, 3)) == ""
