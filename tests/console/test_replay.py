"""Stepping through a recorded game by what is typed."""

from io import StringIO

import pytest
from rich.console import Console

from othello_lab.console.recorded import Replay
from othello_lab.console.terminal import Terminal
from othello_lab.game import Game


def replayed(game: Game, typed: list[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    words = iter(typed)

    def answer(prompt: str) -> str:
        try:
            return next(words)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)
    output = StringIO()
    Replay(game, Terminal(Console(file=output, width=80))).play()
    marks = ("   black ", "?", "That")
    return [line for line in output.getvalue().splitlines() if any(mark in line for mark in marks)]


def test_on_back_and_to_any_move(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.from_transcript("f5d6c3")
    assert replayed(game, ["", "b", "b", "3", "", "4", "q", "1"], monkeypatch) == [
        "the start: black to move   black 2, white 2",
        "1. black f5: white to move   black 4, white 1",
        "the start: black to move   black 2, white 2",
        "That is the start.",
        "3. black c3: white to move   black 5, white 2",
        "That was the last move.",
        "That was the last move.",
    ]


def test_a_wrong_word_is_told_and_the_end_of_input_is_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    (start, wrong) = replayed(Game.from_transcript("f5"), ["x" * 1000], monkeypatch)
    assert start == "the start: black to move   black 2, white 2"
    assert wrong.startswith(f"'{'x' * 20}'? Enter: on")
