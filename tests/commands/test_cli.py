"""The command line as a whole: what every command of `othello` keeps."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from othello_lab.commands.cli import SHELLS, cli

ROOT = Path(__file__).parents[2]


def commands(command: click.Command = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its words."""
    yield " ".join(path), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found
            yield from commands(found, (*path, name))


def paths() -> list[list[str]]:
    """Return the words of every command."""
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


@pytest.mark.parametrize("group", ["", "experiment"])
def test_a_bare_group_prints_its_help_and_is_no_error(group: str) -> None:
    bare, asked = call(group), call(f"{group} --help")
    assert bare.exit_code == 0
    assert bare.output == asked.output
    assert "Commands:" in bare.output or "Play:" in bare.output


def listed(shown: str) -> dict[str, list[str]]:
    """Return the names that a help lists, under the titles they stand under."""
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


def test_the_commands_stand_in_groups_with_a_line_each() -> None:
    shown = call("--help").output
    groups = listed(shown)
    assert [*groups] == ["Options", "Play", "Train", "Measure", "Games", "Build on it", "More"]
    names = [name for title in [*groups][1:] for name in groups[title]]
    assert names == cli.list_commands(click.Context(cli))
    lists = shown[shown.index("Play:") :].splitlines()
    assert len([line for line in lists if line]) == len(names) + len(groups) - 1


@pytest.mark.parametrize("path", [" ".join(path) for path in paths()])
def test_no_help_has_a_list_of_more_than_ten(path: str) -> None:
    for title, names in listed(call(f"{path} --help").output).items():
        assert len(names) <= 10, f"{path}: {title}"


@pytest.mark.parametrize("path", ["", "run", "experiment sweep"])
def test_help_explains_a_command_as_its_own_option_does(path: str) -> None:
    asked, own = call(f"help {path}"), call(f"{path} --help")
    assert asked.exit_code == 0
    assert asked.output == own.output


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("rnu", "No such command 'rnu'. Did you mean 'run'?"),
        ("nobody", "No such command 'nobody'. --help lists the commands."),
        ("help experiment sweeep", "No such command 'sweeep'. Did you mean 'sweep'?"),
        ("help run fast", "'root run' has no commands of its own: leave 'fast' out"),
        ("run --episods 5", "No such option '--episods'. Did you mean '--episodes'?"),
    ],
)
def test_a_word_that_is_nearly_right_is_answered_with_the_right_one(line: str, says: str) -> None:
    result = call(line)
    assert result.exit_code == 2
    assert says in result.output.replace("'cli", "'root")


def test_the_options_of_a_run_stand_in_sections() -> None:
    shown = call("run --help").output
    titles = [line[:-1] for line in shown.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert titles == [
        "Training", "Evaluation", "Run folder", "Agent", "Environment", "Connection", "Options"
    ]  # fmt: skip
    assert shown.index("Evaluation:") < shown.index("--eval-every") < shown.index("Run folder:")


@pytest.mark.parametrize("spelling", ["--max-empties", "--max_empties"])
def test_dashes_and_underscores_in_options_are_alike(spelling: str) -> None:
    result = call(f"solve start {spelling} 3")
    assert "60 empty squares, 3 are allowed" in result.output


def test_every_door_tells_its_version() -> None:
    for door in (["othello_lab"], ["rlglue"], ["othello_lab.environment"]):
        done = subprocess.run(
            [sys.executable, "-m", *door, "--version"], capture_output=True, text=True, check=True
        )
        assert done.stdout.startswith("othello-lab, version ")


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_prints_a_script_for_each_shell(shell: str) -> None:
    result = call(f"completion {shell}")
    assert result.exit_code == 0
    assert f"_OTHELLO_COMPLETE={shell}_complete" in result.output


@pytest.mark.parametrize("line", ["players", "--help", "perft --depth 1"])
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


def test_a_complaint_is_bounded() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "othello_lab", "play", 100_000 * "a"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("Error: ")
    assert len(done.stderr) < 2100


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


def test_a_worker_of_a_sweep_explains_itself_also_where_nobody_holds_its_input() -> None:
    command = [sys.executable, "-P", "-m", "othello_lab.commands.sweep_worker"]
    for words, ends_well in ((["--help"], True), (["experiment", "train", "--in-process"], False)):
        done = subprocess.run(
            [*command, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        assert (done.returncode == 0, "Traceback" in done.stderr) == (ends_well, False), done.stderr
