import json
import re
import shlex
from itertools import chain, pairwise
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.commands.play import STATE
from othello_lab.game.review import Reviewer
from tests.experiment.lab import posix
from tests.forks import run_forked

ROOT = Path(__file__).parent.parent
PAGES = {
    str(path.relative_to(ROOT)): path
    for path in [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))]
}
PYTHON = {
    f"{name.replace('/', '-')}-{number}": code
    for name, path in PAGES.items()
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", path.read_text("utf-8"), re.DOTALL))
}
# The imports of the blocks, with their compiled kernels, are loaded once. Runs are not drawn.
IMPORTS = """
import gymnasium
import othello_lab as lab, othello_lab.environment.adapters
from othello_lab.experiment.run import launch
launch.plot_of = lambda plan, report: None
lab.match("greedy", "positional", size=4, openings=0)
lab.values(lab.Board.start(6), "ntuple:pretrained")
environment = lab.make_environment(size=6, opponent="greedy")
environment.env_init(), environment.env_start()
"""
FEW_GAMES = re.compile(r"\b(episodes|games)=\d+"), r"\1=20, eval_every=20, eval_games=2, final_games=2"
LESSONS = sorted((ROOT / "docs/lessons").glob("[0-9]*.md"))
SHORT = {"--episodes": "2", "--games": "64", "--openings": "1", "--depth": "3"}
QUICK = ["--final-games", "0", "--eval-every", "2", "--eval-games", "2"]
# Installations, and a question to a player in 47,633 positions, which the tests of `truth` cover.
SKIPPED = ("setup", "truth")


def commands_of(text: str) -> list[list[str]]:
    """Return the arguments of each line that calls `othello`, directly or through a script."""
    lines = re.findall(r"^    ((?:othello|\./scripts/\w+)(?: .*)?)$", text, re.MULTILINE)
    words = [shlex.split(line, comments=True) for line in lines]
    return [[*([] if word == "othello" else [word.rpartition("/")[2]]), *rest] for word, *rest in words]


def resolved(words: list[str]) -> tuple[click.Command, list[str]]:
    command: click.Command | None = cli
    while isinstance(command, click.Group) and words:
        _, command, words = command.resolve_command(click.Context(command), words)
    assert command
    return command, words


@posix
@pytest.mark.slow
def test_python_in_the_pages_runs(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in PYTHON]
    for folder, code in zip(folders, PYTHON.values(), strict=True):
        folder.mkdir()
        (folder / "page.py").write_text(FEW_GAMES[0].sub(FEW_GAMES[1], code), "utf-8")
    # The module has another name, so that the last lines of a script do not start a server.
    ended = run_forked(IMPORTS, [(folder, [folder / "page.py"]) for folder in folders], "page")
    failed = {name: one.errors for name, one in zip(PYTHON, ended, strict=True) if one.status}
    assert not failed


@pytest.mark.parametrize("page", PAGES)
def test_commands_in_the_pages_exist_with_their_options(page: str) -> None:
    for arguments in commands_of(PAGES[page].read_text("utf-8")):
        if arguments and arguments[0] not in ("setup", "test", "help"):
            command, words = resolved(arguments)
            options = {word.partition("=")[0] for word in words if word.startswith("--")}
            known = [
                (*each.opts, *each.secondary_opts) for each in command.get_params(click.Context(command))
            ]
            assert options <= set(chain(*known)), f"othello {' '.join(arguments)}"


def test_the_commands_of_earlier_projects_are_read_with_their_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    read = commands_of(PAGES["docs/earlier.md"].read_text("utf-8"))
    assert len(read) > 25
    for arguments in read:
        command, words = resolved(arguments)
        command.make_context(command.name, words)  # raises UsageError for what it does not take


@pytest.mark.slow
def test_the_commands_about_files_of_games_work(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands at the top of the page run in order, because each reads files of earlier commands."""
    monkeypatch.setenv(STATE, str(here))
    top, _, _ = PAGES["docs/records.md"].read_text("utf-8").partition("\n## ")
    monkeypatch.setattr("othello_lab.game.review.Reviewer", lambda size, *_: Reviewer(size, 8, 200))
    for arguments in commands_of(top):
        more = ["--openings", "9"] if "--records" in arguments else []
        words = arguments[:-1] if arguments[0] == "draw" else arguments  # the last board, not all
        result = CliRunner().invoke(cli, [*words, *more])
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
    """Return the anchors of a page's headings: lower case, dashes for spaces, no other signs."""
    titles = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_readme_is_short() -> None:
    assert len(PAGES["README.md"].read_text("utf-8").splitlines()) <= 150


def test_the_reference_has_every_public_name() -> None:
    import othello_lab

    listed = re.findall(
        r"^::: othello_lab\.\S+\.(\w+)$", PAGES["docs/python.md"].read_text("utf-8"), re.MULTILINE
    )
    assert set(othello_lab.__all__) <= set(listed)


def shortened(arguments: list[str]) -> list[str]:
    """Return the same command with less to do. A training runs in this process."""
    words = [
        re.sub(r"simulations=\d+", "simulations=8", SHORT.get(before, word))
        for before, word in pairwise(["", *arguments])
    ]
    if words[0] == "run":
        words = ["run", "--in-process", *words[1:]]
    trains = words[0] in ("run", "experiment", "selfplay") and "compare" not in words
    return [*words, *QUICK] if trains else words


@pytest.mark.slow
def test_the_commands_of_the_lessons_run(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands run in order, because a lesson needs the runs of earlier lessons."""
    monkeypatch.setenv(STATE, str(here))
    # The plot takes half of the time of a short training. Other tests draw it.
    monkeypatch.setattr("othello_lab.experiment.run.launch.plot_of", lambda plan, report: None)
    for lesson in LESSONS:
        for arguments in commands_of(lesson.read_text("utf-8")):
            if arguments[0] in SKIPPED:
                continue
            result = CliRunner().invoke(cli, shortened(arguments))
            # After so few games an answer may be wrong.
            allowed = (0, 1) if arguments[0] == "exercise" else (0,)
            assert result.exit_code in allowed, f"othello {' '.join(arguments)}: {result.output}"
            assert result.exit_code == 0 or result.output.startswith("wrong: "), result.output


@pytest.mark.slow
@pytest.mark.parametrize(
    "notebook", sorted((ROOT / "docs/lessons").glob("*.ipynb")), ids=lambda path: path.stem
)
def test_the_cells_of_a_notebook_run(notebook: Path) -> None:
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    less = re.sub(r"^(GAMES = |OPENINGS = |sample = .*min\()\d+", r"\g<1>20", code, flags=re.MULTILINE)
    assert less != code
    exec(compile(less, notebook.name, "exec"), {"__name__": "notebook"})  # noqa: S102  our own pages
