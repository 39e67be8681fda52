import os
import re
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from click.types import FloatParamType, IntParamType

from othello_lab.commands.cli import cli
from othello_lab.commands.errors import run_and_exit
from othello_lab.experiment.workers.trio import CHILD

ROOT = Path(__file__).parents[2]


def commands(command: click.Command = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    yield " ".join(path), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found
            yield from commands(found, (*path, name))


def paths() -> list[list[str]]:
    return [path.split() for path, _ in commands()]


def call(line: str) -> Result:
    return CliRunner().invoke(cli, line.split())


def test_every_command_and_every_option_says_what_it_is() -> None:
    for path, command in commands():
        assert command.help, path
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.help, f"{path} {option.opts}"
                assert option.help.endswith((".", "]")), f"{path} {option.opts}: {option.help}"


def kind(option: click.Option) -> str:
    if option.is_flag:
        return "nothing"
    if isinstance(option.type, click.Path):
        return "file" if option.type.file_okay else "folder"
    return "number" if isinstance(option.type, IntParamType | FloatParamType) else option.type.name


def test_an_option_has_one_meaning_in_all_commands() -> None:
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    for _, command in commands():
        for option in command.params:
            if isinstance(option, click.Option):
                kinds[option.opts[0]].add(kind(option))
    several = {name for name, found in kinds.items() if len(found) > 1}
    assert several == {"--resume"}, "go on with a run, by its name, or with the last game of `othello play`"


def test_a_command_has_few_options_and_lists_them() -> None:
    for path, command in commands():
        options = [each for each in command.params if isinstance(each, click.Option)]
        assert len(options) <= 25, path
        help_ = call(f"{path} --help").output
        assert all(each.opts[0] in help_ for each in options if each.expose_value), path


@pytest.mark.parametrize("group", ["", "experiment"])
def test_a_bare_group_prints_its_help_and_is_no_error(group: str) -> None:
    bare, asked = call(group), call(f"{group} --help")
    assert bare.exit_code == 0
    assert bare.output == asked.output
    assert "Commands:" in bare.output or "Play:" in bare.output


def listed(shown: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in shown.splitlines():
        if title := re.fullmatch(r"(\S.*):", line):
            found[title[1]] = []
        elif found and (name := re.match(r"  (-?\w\S*|--\S+)", line)):
            found[[*found][-1]].append(name[1])
    return found


def test_players_are_listed_by_what_they_do() -> None:
    kinds = listed(call("players").output)
    assert "search" in kinds["Players that look further"]
    assert "level:1-10" in kinds["Players made of others"]
    assert max(len(names) for names in kinds.values()) <= 10


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("rnu", "No such command 'rnu'. Did you mean 'run'?"),
        ("nobody", "No such command 'nobody'."),
        ("experiment sweeep", "No such command 'sweeep'. Did you mean 'sweep'?"),
        ("run --episods 5", "No such option '--episods'. Did you mean '--episodes'?"),
    ],
)
def test_a_word_that_is_nearly_right_is_answered_with_the_right_one(line: str, says: str) -> None:
    result = call(line)
    assert result.exit_code == 2
    assert says in result.output.replace("'cli", "'root")


@pytest.mark.parametrize("spelling", ["--max-empties", "--max_empties"])
def test_dashes_and_underscores_in_options_are_alike(spelling: str) -> None:
    result = call(f"solve start {spelling} 3")
    assert "60 empty squares, 3 are allowed" in result.output


@pytest.mark.slow
@pytest.mark.parametrize("line", ["players", "--help"])
def test_a_pipe_that_nobody_reads_is_no_news(line: str) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "othello_lab", *line.split()],
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write)
    assert done.stderr == b""
    assert done.returncode == 1


@pytest.mark.slow
def test_a_complaint_is_bounded() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "othello_lab", "perft", "--depth", 100_000 * "a"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("Error: ")
    assert len(done.stderr) < 2100


@pytest.mark.slow
def test_an_unknown_backend_of_matplotlib_is_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "othello_lab", "draw", "standard", "a.png"]
    bogus = {**os.environ, "MPLBACKEND": "bogus"}
    done = subprocess.run(command, cwd=tmp_path, env=bogus, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Error: MPLBACKEND is 'bogus': unset it, or set it to agg\n"


def test_ctrl_c_prints_a_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(signal, "signal", lambda *_: None)
    with pytest.raises(SystemExit, match="130"):
        run_and_exit(click.Command("othello", callback=interrupt), [], "othello")
    assert capsys.readouterr().err == "\nInterrupted.\n"


@pytest.mark.slow
def test_ctrl_c_ends_a_server_and_who_waits_for_one_alike() -> None:
    lines = ("glue --port 0", "agent random --port 1")
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "othello_lab", *line.split()], stderr=subprocess.PIPE, text=True
        )
        for line in lines
    ]
    for process in started:
        assert process.stderr
        while "waiting" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
        assert process.returncode == 130, error
        assert "Traceback" not in error


@pytest.mark.slow
def test_a_foreign_rlglue_in_the_way_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "rlglue").mkdir()
    (tmp_path / "rlglue" / "__init__.py").touch()
    variables = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    command = [sys.executable, "-P", "-c", "from othello_lab.commands.cli import main; main()", "--help"]
    ended = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith(
        f"Error: another package named rlglue, in {tmp_path / 'rlglue'}, is in the"
    )
    assert ended.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_run_of_a_sweep_whose_sweep_is_gone_explains_itself() -> None:
    command = [*CHILD, "run", "othello_lab", "run", "--in-process"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode
    assert "Traceback" not in done.stderr


HELP = """
import sys
from contextlib import redirect_stdout
from io import StringIO
from runpy import run_module
for module, *arguments in map(str.split, sys.argv[1:]):
    for asked, answer in (("--help", "Usage:"), ("--version", "othello-lab, version ")):
        if asked == "--version" and arguments:
            continue
        sys.argv = [module, *arguments, asked]
        with redirect_stdout(StringIO()) as shown:
            try:
                run_module(module, run_name="__main__", alter_sys=True)
            except SystemExit as end:
                assert not end.code, (module, arguments)
        assert answer in shown.getvalue(), (module, arguments)
        assert not {"numba", "torch"} & set(sys.modules), (module, arguments)
"""
PARTS = ("agent", "console", "environment", "experiment")
DOORS = (*(f"othello_lab.{part}" for part in PARTS), "rlglue")


@pytest.mark.slow
def test_help_and_version_come_without_the_heavy_libraries() -> None:
    commands = [*DOORS, *(f"othello_lab {' '.join(path)}" for path in paths())]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", HELP, *commands],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


ASKED = {
    "bash": """
        eval "$(_OTHELLO_COMPLETE=bash_source othello)"
        COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _othello_completion othello "${COMP_WORDS[-1]}"
        printf '%%s\\n' "${COMPREPLY[@]}"
    """,
    "fish": "_OTHELLO_COMPLETE=fish_source othello | source; complete -C '%s' | cut -f1",
}


@pytest.mark.slow
@pytest.mark.parametrize("shell", ASKED)
@pytest.mark.parametrize(
    ("line", "words"), [("othello tourn", ["tournament"]), ("othello play corner-g", ["corner-greedy"])]
)
def test_tab_offers_commands_and_players(shell: str, line: str, words: list[str], tmp_path: Path) -> None:
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell}")
    search = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    variables = {"PATH": search, "HOME": str(tmp_path), "TERM": "dumb"}
    done = subprocess.run(
        [shell, "-c", ASKED[shell] % line],
        env=variables,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stderr, done.stdout.split()) == ("", words)
