"""The line that explains a wait."""

import sys
from io import StringIO

import pytest

from othello_lab.game.kernels import compiling_notice


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def heard(
    monkeypatch: pytest.MonkeyPatch,
    stderr: StringIO,
    *compilations: tuple[float, float],
    is_followed: bool = False,
) -> str:
    """Return what is said while functions are compiled at these times, from and to, one within another."""
    time = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: time[0])
    monkeypatch.setattr(sys, "stderr", stderr)
    listener = compiling_notice.Patience()
    listener.is_followed = is_followed
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


def test_who_runs_alone_at_a_terminal_says_how_far_it_is_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [(0.0, 60.0), *((at, at + 0.5) for at in range(1, 50))]
    shown = heard(monkeypatch, Terminal(), *parts, is_followed=True)
    assert "\n" not in shown
    seen = [line.strip() for line in shown.split("\r") if line.strip()]
    assert seen[0] == "compiling the rules, once: 2 of about 120 parts"
    assert seen[-1] == "compiling the rules, once: 50 of about 120 parts"
    assert shown.endswith("\r"), "the line goes when all is compiled"


def test_after_a_pause_the_parts_are_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = [(0.0, 1.0), (1.0, 4.0), (2.0, 3.0), (100.0, 101.0), (101.0, 104.0), (102.0, 103.0)]
    shown = heard(monkeypatch, Terminal(), *twice, is_followed=True)
    assert shown.count(" 3 of about") == 2
    assert "4 of about" not in shown
