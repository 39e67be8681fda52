"""`othello truth` at the command line."""

import json

import pytest

from othello_lab.commands.truth import command
from othello_lab.game.players import catalogue
from othello_lab.game.registry import Entry
from tests.calling import caller
from tests.game.knowing import Knowing

truth = caller(command)


@pytest.mark.slow
def test_perfect_play_keeps_everything_on_4x4(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalogue.BUILT_IN, "knowing", Entry(lambda spec, size: Knowing(min), "knows 4x4"))
    found = json.loads(truth("knowing", "--size", "4", "--json").output)
    for kind, matters in (("outcome", 7_996), ("discs", 18_468)):
        everywhere, where_it_matters = found[kind]["everywhere"], found[kind]["where_it_matters"]
        assert everywhere == {"positions": 47_633, "kept": 47_633, "share": 1.0}
        assert (where_it_matters["positions"], where_it_matters["share"]) == (matters, 1.0)
    assert found["faults"] == []
    white, black = found["as_white"], found["as_black"]
    assert (white["games"], white["draw"] + white["loss"], white["least_discs"]) == (white["win"], 0, 8)
    assert black["least_discs"] == -8, "the value of the start"


def test_a_sample_of_a_larger_board() -> None:
    few = ("--size", "6", "--positions", "20", "--empties", "6", "--seed", "2")
    lines = truth("greedy", *few, "--worst", "1").output.splitlines()
    assert lines[0] == "greedy on 6x6, 20 positions with 6 empty squares, played by random, seed 2"
    assert lines[1].endswith("95 %")
    assert truth("greedy", *few, "--worst", "1").output.splitlines() == lines
    perfect = json.loads(truth("search:depth=1", *few, "--json").output)
    assert (perfect["by"], perfect["empties"], perfect["positions"]) == ("random", 6, 20)
    assert perfect["discs"]["everywhere"]["share"] == 1
    assert perfect["discs"]["everywhere"]["interval"][1] == 1
    mixed = truth("greedy", *few, "--by", "noisy:positional,share=0.3").output
    assert mixed.splitlines()[0].endswith("played by noisy:positional,share=0.3, seed 2")
