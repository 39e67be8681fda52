"""A person in tasks of strangers: observations shown, actions typed within their ranges."""

import pytest

from othello_lab.console.human_agent import observation_text, read_action, wanted
from othello_lab.console.terminal import Left
from rlglue import taskspec
from rlglue.glue import Glue
from rlglue.taskspec import Space
from rlglue.types import Observation
from tests.console.human.typing_person import Person, typed
from tests.experiment.parts import StrangersEnvironment
from tests.rlglue.parts import FiveSteps


def space(actions: str) -> Space:
    head = "VERSION RL-Glue-3.0 PROBLEMTYPE episodic DISCOUNTFACTOR 1 OBSERVATIONS"
    return taskspec.parse(f"{head} ACTIONS {actions} REWARDS (0 1)").actions


def test_episodes_of_a_strangers_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    env = FiveSteps()
    person = Person(monkeypatch, typed("0", "1", "2", "one", "", "0 1", "1", "0", "1"))
    glue = Glue(person.agent, env)
    glue.RL_init()
    glue.RL_episode()
    assert env.actions == [[0], [1], [1], [0], [1]]
    assert "you see: ints 4\naction (1 whole of 0 to 1; quit): " in person.saw
    assert "'2' is not within the range: expected a whole number of 0 to 1\n" in person.saw
    assert "'one' is no whole number\n" in person.saw
    assert person.saw.count("expected 1 whole of 0 to 1, with spaces between\n") == 2
    assert person.saw.endswith("reward +1\nThe episode is over.\n")


def test_a_task_that_cannot_be_read_is_played_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    person = Person(monkeypatch, typed("1 2.5", "x", "", "7", "quit"))
    glue = Glue(person.agent, StrangersEnvironment())
    glue.RL_init()
    glue.RL_episode()
    assert "whatever you type is sent as it is" in person.saw
    assert "'x' is no number\n" in person.saw
    with pytest.raises(Left):
        glue.RL_episode()


@pytest.mark.parametrize(
    ("actions", "entry", "ints", "doubles", "chars"),
    [
        ("INTS (0 3)", " 3 ", [3], [], ""),
        ("INTS (2 0 3) (-5 5)", "0 3 -5", [0, 3, -5], [], ""),
        ("INTS (0 1) DOUBLES (-1 1) (2 NEGINF POSINF)", "1 -0.5 1e9 -7", [1], [-0.5, 1e9, -7.0], ""),
        ("DOUBLES (UNSPEC UNSPEC) CHARCOUNT 3", "0 a b", [], [0.0], "a b"),
        ("CHARCOUNT 2", "ab", [], [], "ab"),
        ("", "", [], [], ""),
    ],
)
def test_an_action_is_read(
    actions: str, entry: str, ints: list[int], doubles: list[float], chars: str
) -> None:
    action = read_action(entry, space(actions))
    assert (action.intArray, action.doubleArray, action.charArray) == (ints, doubles, list(chars))


@pytest.mark.parametrize(
    ("actions", "entry"),
    [
        ("INTS (0 3)", "4"),
        ("INTS (0 3)", "-1"),
        ("INTS (0 3)", "1.5"),
        ("INTS (0 3)", ""),
        ("INTS (0 3)", "1 2"),
        ("INTS (NEGINF POSINF)", "2147483648"),
        ("INTS (NEGINF POSINF)", "1" * 10_000),
        ("DOUBLES (-1 1)", "nan"),
        ("DOUBLES (NEGINF POSINF)", "inf"),
        ("DOUBLES (-1 1)", "1.01"),
        ("CHARCOUNT 2", "abc"),
        ("", "1"),
    ],
)
def test_a_wrong_action_is_refused(actions: str, entry: str) -> None:
    with pytest.raises(ValueError, match=r"expected|is no"):
        read_action(entry, space(actions))


def test_a_huge_action_is_asked_for_in_few_words() -> None:
    assert wanted(space("INTS (1000000 0 1)")) == "1000000 whole of 0 to 1"
    with pytest.raises(ValueError, match="expected 1000000 whole"):
        read_action("1 0", space("INTS (1000000 0 1)"))


def test_an_observation_is_one_line() -> None:
    seen = Observation()
    seen.intArray, seen.doubleArray, seen.charArray = list(range(500)), [0.123456789], list("a\nb")
    assert observation_text(seen) == (
        "you see: ints 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 ... (500 in all); "
        "doubles 0.123457; chars 'a\\nb'"
    )
    assert observation_text(Observation()) == "you see: nothing"
