"""What README and docs/ show works: Python runs, commands and options exist, links lead somewhere."""

import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.commands.seating import STATE

ROOT = Path(__file__).parent.parent
PAGES = {
    str(path.relative_to(ROOT)): path
    for path in [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))]
}
PYTHON = [
    pytest.param(code, id=f"{name}-{number}")
    for name, path in PAGES.items()
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", path.read_text("utf-8"), re.DOTALL))
]
GROUPS = ("experiment",)


def commands_of(text: str) -> list[list[str]]:
    """The arguments of `othello` in each line that calls it or one of the scripts, which are doors to it."""
    lines = re.findall(r"^    ((?:othello|\./scripts/\w+)(?: .*)?)$", text, re.MULTILINE)
    words = [shlex.split(line, comments=True) for line in lines]
    return [[*([] if word == "othello" else [word.rpartition("/")[2]]), *rest] for word, *rest in words]


@cache
def options_of(path: tuple[str, ...]) -> set[str]:
    command = [sys.executable, "-m", "othello_lab", *path, "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
    return set(re.findall(r"--[a-z-]+", done.stdout))


@pytest.mark.parametrize("code", PYTHON)
def test_python_in_the_pages_runs(code: str, tmp_path: Path) -> None:
    # As a module of another name, so that a script's last lines do not start serving.
    subprocess.run(
        [sys.executable, "-c", f"__name__ = 'page'\n{code}"], check=True, timeout=120, cwd=tmp_path
    )


@pytest.mark.parametrize("page", PAGES)
def test_commands_in_the_pages_exist_with_their_options(page: str) -> None:
    for arguments in commands_of(PAGES[page].read_text("utf-8")):
        if arguments and arguments[0] not in ("setup", "test", "help"):
            path = tuple(arguments[: 2 if arguments[0] in GROUPS else 1])
            options = {word.partition("=")[0] for word in arguments if word.startswith("--")}
            assert options <= options_of(path), f"othello {' '.join(arguments)}"


def test_the_commands_of_earlier_projects_are_read_with_their_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    read = commands_of(PAGES["docs/earlier.md"].read_text("utf-8"))
    assert len(read) > 30
    for words in read:
        _make_context(cli, "othello", words)


def _make_context(command: click.Command, name: str | None, words: list[str]) -> None:
    """Have click read the words of a command; it raises UsageError for one that it does not take."""
    if not isinstance(command, click.Group):
        command.make_context(name, words)
        return
    own, found, rest = command.resolve_command(click.Context(command, info_name=name), words)
    assert found
    _make_context(found, own, rest)


def test_the_commands_about_files_of_games_find_what_they_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those at the top of the page, in their order: each reads what one before it wrote."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(STATE, str(tmp_path))
    top, _, _ = PAGES["docs/records.md"].read_text("utf-8").partition("\n\nA file is known")
    for arguments in commands_of(top):
        result = CliRunner().invoke(cli, arguments)
        assert result.exit_code == 0, f"othello {' '.join(arguments)}: {result.output}"


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files_and_headings(page: str) -> None:
    text = PAGES[page].read_text("utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", text):
        name, _, heading = target.partition("#")
        path = (PAGES[page].parent / name).resolve() if name else PAGES[page]
        assert path.exists(), target
        if heading:
            assert heading in headings_of(path), target


def headings_of(path: Path) -> set[str]:
    """The anchors of a page's headings: lower case, dashes for spaces, no other signs."""
    titles = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_readme_is_short() -> None:
    assert len(PAGES["README.md"].read_text("utf-8").splitlines()) <= 150


def test_the_reference_has_every_public_name() -> None:
    import othello_lab

    listed = re.findall(
        r"^::: othello_lab\.\S+\.(\w+)$", PAGES["docs/api.md"].read_text("utf-8"), re.MULTILINE
    )
    assert set(othello_lab.__all__) <= set(listed)
