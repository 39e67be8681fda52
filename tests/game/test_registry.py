import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_lab.experiment.compare.sweep import as_table
from othello_lab.game.catalogue import Entry, Registry, make
from othello_lab.game.players.simple import SimplePolicy
from othello_lab.game.registry import RegistryError, Spec, compose, how_to_install, parse


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("greedy", Spec("greedy")),
        ("dqn:runs/a/best", Spec("dqn", "runs/a/best")),
        (r"dqn:C:\runs\best", Spec("dqn", r"C:\runs\best")),
        ("dqn:best,device=cpu", Spec("dqn", "best", {"device": "cpu"})),
        (
            "a:depth=4,eval=[weights:swh,fade=1]",
            Spec("a", None, {"depth": "4", "eval": "weights:swh,fade=1"}),
        ),
        ("a,one=[x,y],two=z", Spec("a", None, {"one": "x,y", "two": "z"})),
        ("a,eval=[b:c,eval=[d,e],f=g],h=i", Spec("a", None, {"eval": "b:c,eval=[d,e],f=g", "h": "i"})),
        ("a , key = value ", Spec("a", None, {"key": "value"})),
        ("a:", Spec("a", "")),
        ("dqn:[/path/with,comma],device=cpu", Spec("dqn", "/path/with,comma", {"device": "cpu"})),
        ("engine:[program, -l 1]", Spec("engine", "program, -l 1")),
        ("a:[depth=4]", Spec("a", "depth=4")),
        ("a:[[b]]", Spec("a", "[b]")),
        ("a:[b][c]", Spec("a", "[b][c]")),
        ("a,warm-up=3", Spec("a", None, {"warm_up": "3"})),
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
        ("a,b-c=1,b_c=2", "gives b_c twice"),
        ("a[b:c]", "a name has no square brackets"),
        ("a,b[c=1]", "is no option"),
    ],
)
def test_text_outside_the_grammar_is_refused(text: str, why: str) -> None:
    with pytest.raises(RegistryError, match=why):
        parse(text)


# Brackets match in these words. Commas, colons, equals signs and spaces are anywhere.
PLAIN = st.text(st.sampled_from("ab,:= /.-"), max_size=6)
WORDS = st.recursive(
    PLAIN, lambda inner: st.tuples(PLAIN, inner, PLAIN).map(lambda w: f"{w[0]}[{w[1]}]{w[2]}")
)
KEYS = st.from_regex("[a-z][a-z_]{0,3}", fullmatch=True).filter(lambda key: key not in ("name", "argument"))


@pytest.mark.slow
@given(
    st.from_regex("[a-z][a-z-]{0,5}", fullmatch=True),
    st.none() | WORDS,
    st.dictionaries(KEYS, WORDS, max_size=3),
)
def test_arguments_and_options_come_back(name: str, argument: str | None, options: dict[str, str]) -> None:
    table = {"name": name, **({} if argument is None else {"argument": argument}), **options}
    text = compose(table)
    assert parse(text) == Spec(name, argument, options)
    assert as_table(text) == table


@given(st.text(st.sampled_from("ab,:=[] "), max_size=12))
def test_whatever_can_be_read_can_be_written(text: str) -> None:
    try:
        spec, table = parse(text), as_table(text)
    except RegistryError:
        return
    if spec.name:
        assert parse(compose(table)) == spec


def test_an_option_that_a_table_has_no_place_for_is_refused() -> None:
    with pytest.raises(RegistryError, match="has the option name, which a table cannot say"):
        as_table("engine:gtp-rhino,name=Rhino")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no player ''; there are: random, greedy, corner-greedy"),
        ("nobody", "no player 'nobody'; there are: random, greedy, corner-greedy"),
        ("greedi", "no player 'greedi'; did you mean greedy"),
        ("Greedy", "no player 'Greedy'; did you mean greedy"),
        ("greedy:3", "greedy takes no argument, but got '3'"),
        ("greedy,depth=4", "greedy has no option 'depth'; its options: none"),
    ],
)
def test_an_unknown_name_argument_or_option_is_answered_with_what_there_is(text: str, why: str) -> None:
    with pytest.raises(RegistryError, match=why):
        make(text, 8)


def make_in_need(spec: Spec, size: int) -> SimplePolicy:
    raise ModuleNotFoundError("No module named 'torch'", name="torch.nn")


IN_NEED = Entry(make_in_need, "a player that needs torch")


@pytest.mark.parametrize(
    ("place", "package", "brings"),
    [
        ("there_is_no_such_package.players:make", "there_is_no_such_package", "there_is_no_such_package"),
        (f"{__name__}:IN_NEED", "torch", "'othello-lab[train]'"),
    ],
)
def test_a_player_without_its_package(place: str, package: str, brings: str) -> None:
    with pytest.raises(RegistryError) as caught:
        Registry[SimplePolicy]("player", {"needy": place}).make("needy", 6)
    missing = f"the player needy needs the package {package}, which is not installed: "
    assert str(caught.value) == missing + f"python -m pip install {brings}"


@pytest.mark.parametrize(
    ("package", "installed"),
    [
        *(("torch", "'othello-lab[train]'"), ("matplotlib", "'othello-lab[plots]'")),
        *(("textual", "'othello-lab[board]'"), ("sb3_contrib", "'othello-lab[sb3]'")),
        *(("numpy", "numpy"), ("pytest", "pytest"), ("stranger", "stranger")),
    ],
)
def test_a_package_is_installed_by_its_extra_or_by_its_own_name(package: str, installed: str) -> None:
    assert how_to_install(package) == f"python -m pip install {installed}"
