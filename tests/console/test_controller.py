from threading import Event
from typing import Any

import pytest

import othello_lab.console.work as module
from othello_lab.console.controller import Controller
from othello_lab.console.entry import Command, Order
from othello_lab.console.seat import HUMAN, Settings, Wish
from othello_lab.console.work import Work, interruptible
from othello_lab.game import Board, Colour, Game
from tests.console.conftest import ScriptPlayer
from tests.console.screen.playing import table


def controlled(view: "Waiting", white: str = "greedy") -> Controller:
    control = table(white=white)
    control.connect(view)
    return control


class Waiting:
    """A view that does the work when the test calls `finish`."""

    def __init__(self) -> None:
        self.works: list[Work[Any]] = []

    def changed(self, *lines: str) -> None:
        pass

    def start(self, work: Work[Any]) -> None:
        self.works.append(work)

    def obey(self, order: Order) -> None:
        raise AssertionError(order)

    def finish(self, place: int = 0) -> None:
        work = self.works.pop(place)
        work.done(work.result())


def wish(size: int, white: str) -> Wish:
    players = {Colour.BLACK: HUMAN, Colour.WHITE: white}
    return Wish(Settings(size, players, "mobility"), Game(Board.start(size)))


@pytest.mark.parametrize("first", [0, 1])
def test_the_players_asked_for_last_play_whoever_is_ready(first: int, scripts: list[ScriptPlayer]) -> None:
    view = Waiting()
    control = controlled(view)
    control.seat(wish(6, "script:b1"))
    control.seat(last := wish(4, "script:b1a1"))
    view.finish(first)
    assert control.wished is (None if first else last)
    view.finish()
    assert control.wished is None
    assert control.settings == last.settings
    assert {len(player.moves): player.closed for player in scripts} == {1: True, 2: False}


def test_players_that_are_ready_after_the_end_are_let_go(scripts: list[ScriptPlayer]) -> None:
    view = Waiting()
    control = controlled(view)
    control.seat(wish(4, "script:b1"))
    control.close()
    view.finish()
    assert [player.closed for player in scripts] == [True]


def test_a_player_whose_move_is_not_wanted_any_more_is_stopped_and_asked_no_more() -> None:
    view, stops = Waiting(), list[str]()
    control = controlled(view, "script:b1a1")
    white = control.sitting.seats[Colour.WHITE]
    assert white
    vars(white.player)["stop"] = lambda: stops.append("white")
    control.go_on()
    control.enter("b1")
    assert control.is_thinking
    control.obey(Order(Command.UNDO, ""))
    assert (control.is_thinking, stops) == (False, ["white"])
    view.finish()
    assert control.sitting.game.moves == []


@pytest.mark.parametrize("presses", [1, 2, 3, 4])
def test_values_that_are_switched_off_while_the_adviser_thinks_do_not_appear(presses: int) -> None:
    view = Waiting()
    control = controlled(view)
    for _ in range(presses):
        control.hints.toggle_values()
    assert control.hints.is_asked is bool(presses % 2)
    while view.works:
        view.finish()
    assert bool(control.hints.advice) is bool(presses % 2)


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
