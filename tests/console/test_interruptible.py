"""Work that can be interrupted."""

from threading import Event

import pytest

import othello_lab.console.work as module
from othello_lab.console.work import interruptible


def interrupt(_: float) -> None:
    raise KeyboardInterrupt


def test_what_the_work_returns_or_raises_is_what_comes_of_it() -> None:
    assert interruptible(lambda: 7, lambda: None, interrupt) == 7
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0, lambda: None, interrupt)


def test_an_interrupt_stops_the_work() -> None:
    stopped = Event()
    with pytest.raises(KeyboardInterrupt):
        interruptible(stopped.wait, stopped.set, interrupt)
    assert stopped.is_set()


def test_work_that_does_not_listen_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WAIT", 0.001)
    end = Event()
    with pytest.raises(KeyboardInterrupt):
        interruptible(end.wait, lambda: None, interrupt)
    end.set()
