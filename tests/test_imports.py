import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cases import cases

ROOT = Path(__file__).parent.parent
# The package that contains all our packages except rlglue. In the repository, they are at the top.
NAME = "othello_lab"


class Row(NamedTuple):
    """The imports that a package may have, besides itself and the standard library."""

    ours: frozenset[str]
    others: frozenset[str]


def row(ours: str, others: str) -> Row:
    return Row(frozenset(ours.split()), frozenset(others.split()))


TABLE = {
    "game": row("", "numpy numba"),
    "rlglue": row("", "numpy"),
    "environment": row("game rlglue", "numpy"),
    # msgspec: a checkpoint may come from a stranger, so its types are checked first.
    "agent": row("game rlglue", "numpy torch safetensors msgspec"),
    # filelock: two programs must not write or offer the same unfinished game.
    # msgspec: a message of a page may come from a stranger, so its types are checked first.
    "console": row("game rlglue", "filelock msgspec rich textual"),
    "experiment": row(
        "game rlglue", "filelock jinja2 markupsafe msgspec numpy ray rich matplotlib tensorboard werkzeug"
    ),
    "commands": row(
        "agent console environment experiment game rlglue", "click numpy torch rich platformdirs gymnasium"
    ),
}
TABLE[NAME] = Row(TABLE["commands"].ours | {"commands"}, frozenset({"numpy", "pandas", "rich"}))
# The file behind `python -m PACKAGE`. It calls the command line and may import nothing else.
DOOR = "__main__.py"
# The exceptions from the table, each with its reason.
EXCEPTIONS = {
    ("game/kernels/jit.py", "llvmlite"): "numba's own compiler: numba has no names for some instructions",
    **{
        (f"environment/adapters/{name}.py", "gymnasium"): "an extra: Othello as Gymnasium has it"
        for name in ["__init__", "pettingzoo", "rl_glue", "gymnasium_env", "vector"]
    },
    ("environment/adapters/pettingzoo.py", "pettingzoo"): "an extra: Othello as PettingZoo has it",
    ("environment/adapters/sb3.py", "gymnasium"): "what it is made of",
    ("environment/adapters/sb3.py", "stable_baselines3"): "an extra: Othello as Stable-Baselines3 has it",
    ("console/seat.py", "numpy"): "the type of the generator that Player.choose takes",
}
# Modules of the standard library that only these files may import.
ONLY_IN = {"socket": {"rlglue/transport.py"}}


def name_of(path: Path) -> str:
    name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    return name if path.parts[0] in (NAME, "rlglue") else f"{NAME}.{name}"


def python_files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(source: str) -> Iterator[str]:
    """Yield the names of all imports of a file, also within functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and _is_import_call(node.func) and node.args:
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield name.value


def package_of(module: str) -> str:
    """Return the name of one of our packages, or otherwise the first part. `.game` is a game of others."""
    first, _, rest = module.partition(".")
    if first == NAME:
        part = rest.partition(".")[0]
        return part if part in TABLE else NAME
    return f".{first}" if first in TABLE and first != "rlglue" else first


def _is_import_call(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("import_module", "__import__")


def forbidden(path: str, source: str) -> list[str]:
    """Return the imports of a file that the table forbids. `path` is relative to the repository."""
    package, name = path.split("/")[0], path.split("/")[-1]
    allowed = TABLE[package]
    bad = []
    for module in sorted(set(map(package_of, imported(source)))):
        if module in sys.stdlib_module_names:
            wrong = path not in ONLY_IN.get(module, {path})
        elif name == DOOR and (path, module) not in EXCEPTIONS:
            wrong = module != "commands"
        else:
            known = {package} | allowed.ours | allowed.others
            wrong = module not in known and (path, module) not in EXCEPTIONS
        if wrong:
            bad.append(module)
    return bad


@pytest.mark.parametrize("package", TABLE)
def test_every_import_is_in_the_table(package: str) -> None:
    files = python_files(package)
    assert files
    found = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in files}
    bad = [f"{path} imports {module}" for path, text in found.items() for module in forbidden(path, text)]
    assert not bad, "not in the table above:\n" + "\n".join(bad)


def test_every_package_of_the_wheel_is_in_the_table() -> None:
    import tomllib

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = settings["tool"]["setuptools"]["packages"]
    assert {package_of(package) for package in packages} == set(TABLE)
    on_disk = {name_of(path.parent.relative_to(ROOT)) for package in TABLE for path in python_files(package)}
    assert on_disk == set(packages)


def test_every_exception_is_still_needed() -> None:
    for path, module in EXCEPTIONS:
        found = map(package_of, imported((ROOT / path).read_text("utf-8")))
        assert module in set(found), f"{path} no longer imports {module}"


@pytest.mark.parametrize(("path", "source", "found"), cases("imports_judged"))
def test_a_forbidden_import_is_found_and_no_other_is(path: str, source: str, found: list[str]) -> None:
    assert forbidden(path, source) == found
