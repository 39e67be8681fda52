import json
import re
from contextlib import nullcontext, suppress
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from othello_lab.commands.cli import cli
from othello_lab.experiment.run.run_folder import printable_values
from othello_lab.game.notation import printable
from tests.commands.strange import COMMANDS, elsewhere, for_a_moment
from tests.experiment.show.pages.reported import run_folder

pytestmark = pytest.mark.usefixtures("elsewhere")
__all__ = ["elsewhere"]
EVIL = "x\x1b]0;gone\x07\x1b[2J\u202egnp\x9b1m"
# Control characters, and escape sequences that do more than set colours, lines and the cursor.
_SHOWN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\x1b(?!\\[[0-9;?]*[mhlAK])"
)
# The arguments of each command for the run `one`.
WORDS = {
    ("run",): ["--resume", "one"],
    ("selfplay",): ["--resume", "one"],
    ("experiment", "train"): ["--resume", "one", "--connect-timeout", "0"],
    ("experiment", "compare"): ["one"],
    ("report",): ["one", "--games", "0"],
    ("watch",): ["one"],
    ("evaluate",): ["one"],
    ("match",): ["one", "greedy"],
    ("tournament",): ["one", "greedy"],
    ("truth",): ["one"],
    ("play",): ["one"],
}
# The commands that end by themselves. Other commands may wait or train.
LONG = {("experiment", "compare"), ("report",)}


def evil(value: object) -> object:
    if isinstance(value, dict):
        return {key: evil(each) for key, each in value.items()}
    return (
        [*map(evil, value)] if isinstance(value, list) else value + EVIL if isinstance(value, str) else value
    )


@pytest.fixture
def run(elsewhere: None) -> Path:
    rows = "".join(f"{at},greedy{EVIL},black{EVIL},40,10,0,30\n" for at in (0, 60))
    folder = run_folder(Path("runs/one"), agent="dqn", evaluations=rows)
    config = json.loads((folder / "config.json").read_text())
    config |= {"experiment": {"episodes": 60, "eval_opponent": ["greedy"]}, "seeds": {"agent": 1}}
    config |= {"agent_config": {"agent": "a"}, "task_spec": "t", "versions": {"python": "3"}}
    spoilt = {key: value if key == "agent" else evil(value) for key, value in config.items()}
    (folder / "config.json").write_text(json.dumps(spoilt))
    (folder / "sweep.json").write_text(json.dumps({"variants": {f"a{EVIL}": {"agent": EVIL}}}))
    (folder / "logs").mkdir()
    (folder / "logs" / "agent.log").write_text(EVIL)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_prints_escape_sequences_of_a_run(
    words: tuple[str, ...], run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO()))
    with nullcontext() if words in LONG else for_a_moment(), suppress(SystemExit):
        cli.main([*words, *WORDS.get(words, ["one"])], "othello")
    output = "".join(capsys.readouterr())
    assert not _SHOWN.search(output), repr(output)
    assert "greedyx\ufffd" in output or words != ("experiment", "compare"), "it shows the opponent"


def test_texts_are_made_printable_wherever_they_are() -> None:
    assert printable("a\tb\n\u202e\x1b[2J\u2066") == "a\tb\n\ufffd\ufffd[2J\ufffd"
    assert printable_values({"\x1b": ["\x07", 1, None, {"a": "\x9b"}]}) == {
        "\ufffd": ["\ufffd", 1, None, {"a": "\ufffd"}]
    }
