import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.test_imports import NAME, ROOT, TABLE, imported, name_of, python_files

pytestmark = pytest.mark.slow

LONGEST = 500  # The largest number of lines of a file.
BESIDE = ("tests", "examples", "scripts")

Graph = dict[str, set[str]]


@cache
def modules() -> dict[str, Path]:
    paths = (path for package in TABLE for path in sorted((ROOT / package).rglob("*.py")))
    return {name_of(path.relative_to(ROOT)): path for path in paths}


def imports(source: str, known: Iterable[str]) -> Iterator[str]:
    for imported_name in imported(source):
        names = (imported_name, imported_name.rpartition(".")[0])
        yield from [name for name in names if name in known][:1]


def circle(graph: Graph) -> list[str]:
    """Return modules that import each other in a circle, or an empty list."""
    left = {name: set(needed) for name, needed in graph.items()}
    while free := [name for name, needed in left.items() if not needed & left.keys()]:
        for name in free:
            del left[name]
    path = list(left)[:1]
    while path:
        following = min(left[path[-1]] & left.keys())
        if following in path:
            return path[path.index(following) :]
        path.append(following)
    return path


@cache
def graph() -> Graph:
    known = modules()
    return {name: set(imports(path.read_text("utf-8"), known)) - {name} for name, path in known.items()}


@pytest.mark.parametrize("folder", [*TABLE, *BESIDE])
def test_no_file_is_long(folder: str) -> None:
    lines = {path: path.read_text("utf-8").count("\n") for path in (ROOT / folder).rglob("*.py")}
    found = {path.relative_to(ROOT).as_posix(): count for path, count in lines.items() if count > LONGEST}
    long = [f"{name}: {count}" for name, count in found.items()]
    assert not long, f"more than {LONGEST} lines:\n" + "\n".join(sorted(long))


def test_no_files_import_each_other() -> None:
    assert not circle(graph()), "these need each other: " + " -> ".join(circle(graph()))


HIGHEST = 8  # The longest path of imports within experiment/, counted in files.
# The folders of experiment/ in order. A folder imports no later folder.
WINGS = "statistics workers show compare tournament analysis pages"


def test_files_of_the_experiment_stand_on_few_floors() -> None:
    files = {name for name in modules() if name.startswith(f"{NAME}.experiment")}

    @cache
    def floor(name: str) -> int:
        return 1 + max(map(floor, graph()[name] & files), default=0)

    high = [f"{name}: {floor(name)}" for name in files if floor(name) > HIGHEST]
    assert not high, f"above floor {HIGHEST}:\n" + "\n".join(high)


def test_no_wing_of_the_experiment_imports_a_later_one() -> None:
    order = WINGS.split()
    wing = {
        name: order.index(path.parent.name)
        for name, path in modules().items()
        if name.startswith(f"{NAME}.experiment") and path.parent.name in order
    }
    assert {*wing.values()} == {*range(len(order))}
    bad = [
        f"{name} imports {needed}"
        for name in wing
        for needed in graph()[name] & wing.keys()
        if wing[needed] > wing[name]
    ]
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize(
    ("graph", "found"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}, ["b", "c"]),
        ({"a": {"b"}, "b": {"a"}}, ["a", "b"]),
        ({}, []),
    ],
)
def test_a_circle_is_found(graph: Graph, found: list[str]) -> None:
    assert sorted(circle(graph)) == found


def test_imports_within_functions_count() -> None:
    source = "import a\nfrom b import c, d\ndef f():\n    import numpy, a.e"
    assert list(imports(source, {"a", "a.e", "b", "b.c", "numpy.f"})) == ["a", "b.c", "b", "a.e"]


@pytest.mark.parametrize("package", TABLE)
def test_every_package_says_that_it_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").exists()


def test_learners_are_named_in_their_own_package_alone() -> None:
    """Other packages name a learner only as a default, and in the catalogue."""
    from othello_lab.agent.learner import method_names

    defaults = {"commands/agent.py", "commands/selfplay.py", "game/catalogue.py", "othello_lab/learning.py"}
    names = method_names()
    named = [
        f"{path.relative_to(ROOT).as_posix()}:{node.lineno} names {node.value}"
        for package in TABLE.keys() - {"agent"}
        for path in python_files(package)
        if path.relative_to(ROOT).as_posix() not in defaults
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in names
    ]
    assert not named, "\n".join(named)


# The functions that choose and play moves until a game is over.
GAMES_ARE_PLAYED_IN = {
    # Games between two sides: one loop for one or many games, and the environment of the trio.
    ("othello_lab.game.play", "play_out"),
    ("othello_lab.game.play", "_play_on"),
    # Random plies before a game counts.
    ("othello_lab.environment.othello", "with_random_opening"),
    ("othello_lab.environment.vectorised", "many_openings"),
    # Known or forced lines of play, and boards without players.
    ("othello_lab.game.solver.solver", "_variation"),
    ("othello_lab.game.search.deepening", "_after"),
    ("othello_lab.agent.selfplay.games", "_score"),
}


def test_games_are_played_in_one_place() -> None:
    found = {
        (module, function.name)
        for module, path in modules().items()
        for function in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(function, ast.FunctionDef) and plays_on(function)
    }
    assert found == GAMES_ARE_PLAYED_IN


def plays_on(function: ast.FunctionDef) -> bool:
    """Return whether a function plays until a game is over: `while ... over ...: ... .play(...)`."""
    loops = [loop for loop in ast.walk(function) if isinstance(loop, ast.While)]
    return any(
        isinstance(call.func, ast.Attribute) and call.func.attr == "play"
        for loop in loops
        for call in ast.walk(loop)
        if isinstance(call, ast.Call)
    )
