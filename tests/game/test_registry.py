"""Registry texts."""

from importlib.metadata import EntryPoint, EntryPoints

import pytest

from game.players import RegistryError, make, registry
from game.players.registry import Spec, is_built_in, names, parse
from game.players.simple import CornerGreedyPlayer, GreedyPlayer, RandomPlayer


@pytest.mark.parametrize(
    ("text", "kind"),
    [("random", RandomPlayer), ("greedy", GreedyPlayer), (" corner-greedy ", CornerGreedyPlayer)],
)
def test_a_name_makes_its_player(text: str, kind: type) -> None:
    assert type(make(text, 8)) is kind


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("greedy", Spec("greedy")),
        ("dqn:runs/a/best", Spec("dqn", "runs/a/best")),
        (r"dqn:C:\runs\best", Spec("dqn", r"C:\runs\best")),
        ("dqn:best,device=cpu", Spec("dqn", "best", {"device": "cpu"})),
        (
            "alphabeta:depth=4,eval=[weights:swh,fade=1]",
            Spec("alphabeta", None, {"depth": "4", "eval": "weights:swh,fade=1"}),
        ),
        ("a,one=[x,y],two=z", Spec("a", None, {"one": "x,y", "two": "z"})),
        ("a,eval=[b:c,eval=[d,e],f=g],h=i", Spec("a", None, {"eval": "b:c,eval=[d,e],f=g", "h": "i"})),
        ("a , key = value ", Spec("a", None, {"key": "value"})),
        ("a:", Spec("a", "")),
    ],
)
def test_the_grammar(text: str, spec: Spec) -> None:
    assert parse(text) == spec


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a,b", "'b' in 'a,b' is no option: say key=value"),
        ("a,=c", "is no option"),
        ("a,", "'' in 'a,' is no option"),
        ("a,b=[c", "brackets in .* do not match"),
        ("a,b=c]", "brackets in .* do not match"),
        ("a,b=1,b=2", "gives b twice"),
    ],
)
def test_text_outside_the_grammar_is_refused(text: str, why: str) -> None:
    with pytest.raises(RegistryError, match=why):
        parse(text)


@pytest.mark.parametrize("text", ["", "greedi", "Greedy"])
def test_an_unknown_name_is_answered_with_the_names_there_are(text: str) -> None:
    with pytest.raises(RegistryError, match=f"no player '{text}'; there are: random, greedy, corner-greedy"):
        make(text, 8)


def test_what_a_player_does_not_take_is_refused() -> None:
    with pytest.raises(RegistryError, match="greedy takes no argument, but got '3'"):
        make("greedy:3", 8)
    with pytest.raises(RegistryError, match="greedy has no option 'depth'; its options: none"):
        make("greedy,depth=4", 8)


def test_a_registry_error_is_a_value_error() -> None:
    assert issubclass(RegistryError, ValueError)


@pytest.mark.parametrize(("text", "answer"), [("greedy", True), ("greedy:x", False), ("dqn:a", False)])
def test_what_opens_files_is_not_built_in(text: str, answer: bool) -> None:
    assert is_built_in(text) is answer


def make_stranger(spec: Spec, size: int) -> RandomPlayer:
    assert (spec.argument, size) == ("x", 6)
    return RandomPlayer()


def test_other_packages_add_players_by_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("stranger", f"{__name__}:make_stranger", registry.PLAYERS.group)
    monkeypatch.setattr("game.registry.entry_points", lambda **query: EntryPoints([entry]).select(**query))
    assert isinstance(make("stranger:x", 6), RandomPlayer)
    assert names()[-1] == "stranger"
