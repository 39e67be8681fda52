"""Files of games in every format, for every command that takes one."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.commands import analyse, draw, games, match, report, review

FILES = {
    "games.sgf": "(;GM[2];B[f5];W[d6])\n",
    "games.pgn": '[Black "Ann"]\n1. f5 d6\n',
    "games.txt": "1. f5-d6  +12\n",
    "sgf.txt": "(;GM[2];B[f5];W[d6])\n",
    "pgn.txt": '[Black "Ann"]\n1. f5 d6\n',
}
COMMANDS = {
    "games": (games.command, ["{path}"], "     1  "),
    "games --show": (games.command, ["{path}", "--show"], "f5d6\n"),
    "review": (review.command, ["{path}", "--exact", "0", "--nodes", "1"], "d6"),
    "draw": (draw.command, ["{path}", "--output", "{folder}/a.svg"], "a.svg"),
    "report": (report.command, ["{path}", "--output", "{folder}/a.html"], "a.html"),
    "analyse": (
        analyse.command,
        [
            "{path}",
        ],
        "1 game",
    ),
    "match": (
        match.command,
        ["greedy", "random", "--openings", "{path}:2"],
        "1 position after 2 plies of 1 game",
    ),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(("command", "words", "shows"), COMMANDS.values(), ids=COMMANDS)
def test_every_command_reads_every_format(
    command: object, words: list[str], shows: str, name: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(FILES[name])
    said = [word.format(path=path, folder=tmp_path) for word in words]
    result = CliRunner().invoke(command, said, catch_exceptions=False)  # type: ignore[arg-type]
    assert result.exit_code == 0, result.output
    assert shows in result.output
