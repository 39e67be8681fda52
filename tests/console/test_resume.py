import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from othello_lab.commands.play import command
from othello_lab.console.saving import saved_games
from tests.console.conftest import OPTIMAL

ROOT = Path(__file__).parent.parent.parent
SCRIPT = f"script:{OPTIMAL}"


def play(*words: str, entries: str = "") -> Result:
    lines = "".join(f"{entry}\n" for entry in entries.split())
    return CliRunner().invoke(command, words, input=lines, catch_exceptions=False)


def offered(state: Path) -> list[str]:
    found, complaints = saved_games(state / "games")
    assert not complaints
    return [kept.game.transcript() for _, kept in found]


def test_end_of_input_in_mid_game_keeps_it_and_resume_goes_on(state: Path) -> None:
    first = play(SCRIPT, "--size=4", entries="b1 a2")
    assert first.exit_code == 0
    assert "\nThe game is kept: " in first.output
    assert first.output.rstrip().endswith("play --resume")
    assert offered(state) == ["b1a1a2c1"]
    again = play("--resume", entries="undo")
    assert again.output.startswith(f"Going on: person (black) - {SCRIPT} (white), 4x4, 4 moves, ")
    assert "taken back: a2 c1\n" in again.output
    assert "made again: a2 c1" in play("--resume", entries="redo").output


@pytest.mark.parametrize("is_typed", [True, False])
@pytest.mark.parametrize("text", ["b1a1", "-----XO--OX-----X"])
def test_a_game_that_was_loaded_is_kept_before_anybody_moves(
    state: Path, text: str, is_typed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(monkeypatch, *[f"load {text}"] * is_typed)
    begun = [] if is_typed else [f"--load={text}"]
    assert "\nThe game is kept: " in play("human", "--size=4", *begun).output
    found = offered(state)
    assert found == [text if text == "b1a1" else ""]
    answers(monkeypatch)
    assert "\nThe game is kept: " in play("--resume").output
    assert offered(state) == found
    answers(monkeypatch, "new")
    assert "The game is kept" not in play("--resume").output


def test_a_pipe_is_told_of_unfinished_games_and_never_asked(state: Path) -> None:
    play(SCRIPT, "--size=4", entries="b1")
    second = play(SCRIPT, "--size=4", entries="b1 a2")
    assert second.output.startswith(f"Not finished: person (black) - {SCRIPT} (white), 4x4, 2 moves, ")
    assert "; --resume goes on with it.\nYou have" in second.output
    assert offered(state) == ["b1a1a2c1", "b1a1"]


@pytest.mark.parametrize(
    "entries",
    ["b1 quit", "b1 resign", "b1 a2 d4 d1 a4", ""],
    ids=["left", "resigned", "finished", "unplayed"],
)
def test_what_is_not_missed_is_not_offered(state: Path, entries: str) -> None:
    play(SCRIPT, "--size=4", entries=entries)
    assert offered(state) == []


def test_a_resumed_game_can_have_another_opponent_and_hints(state: Path) -> None:
    play("random", "--size=8", entries="f5")
    shown = play("greedy", "--resume", "--hint=random", entries="hint").output
    assert "You have ● (black), greedy has ○ (white)." in shown
    assert "random would play" in shown


def test_a_game_whose_opponent_died_is_offered_also_after_quitting(state: Path) -> None:
    play("engine:false", "--size=4", entries="b1 quit")
    assert offered(state) == ["b1"]
    assert "greedy (white) plays " in play("greedy", "--resume").output


def test_a_player_that_is_gone_is_named_and_another_can_play_on(state: Path) -> None:
    play("random", "--size=4", entries="b1")
    (path,) = (state / "games").glob("*.json")
    path.write_text(path.read_text("utf-8").replace('"white":"random"', '"white":"a-run"'), "utf-8")
    result = play("--resume")
    assert result.exit_code == 2
    assert "--resume: there is no player, run or checkpoint 'a-run'" in result.output
    assert "greedy has ○ (white)" in play("greedy", "--resume").output


def test_a_folder_that_is_read_only_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("OTHELLO_STATE", str(tmp_path / "file"))
    shown = play(SCRIPT, "--size=4", entries="b1 a2 d4").output
    assert shown.count("The game is not kept: ") == 1
    assert "Transcript: b1a1a2c1d4a3\n" in shown


@pytest.mark.slow
def test_a_killed_game_is_offered_and_goes_on(state: Path) -> None:
    arguments = [sys.executable, "-m", "othello_lab", "play", "human", "--size=4", "--hint=greedy"]
    environment = {**os.environ, "OTHELLO_STATE": str(state), "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(
        arguments, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"b1\na1\n")
        process.stdin.flush()
        while b"): a1" not in process.stdout.readline():
            pass
        for _ in range(7):  # the board that follows the move, when it has been kept
            process.stdout.readline()
        assert offered(state) == [], "it is being played"
        process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    assert offered(state) == ["b1a1"]
    assert "Transcript: b1a1a2\n" in play("--resume", entries="a2").output


def answers(monkeypatch: pytest.MonkeyPatch, *entries: str) -> None:
    waiting = list(entries)

    def typed(prompt: str) -> str:
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    monkeypatch.setattr("builtins.input", typed)
    monkeypatch.setattr("othello_lab.console.plain.at_terminal", lambda: True)


def test_a_person_is_asked_once_to_go_on_or_begin_anew(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for entries in ("b1", "b1 a2", "b1 a2 d4"):
        play(SCRIPT, "--size=4", entries=entries)
    answers(monkeypatch, "7", "2", "a2")
    shown = play(SCRIPT, "--size=4").output
    assert f"  1  person (black) - {SCRIPT} (white), 4x4, 6 moves, " in shown
    assert "'7' is none of these games\n" in shown
    assert "Going on: " in shown
    assert offered(state) == ["b1a1a2c1", "b1a1a2c1d4a3", "b1a1"]

    def taken_elsewhere(prompt: str) -> str:
        """Another program drops the newest game while this program asks for a number."""
        if not (found := saved_games(state / "games")[0]):
            raise EOFError
        for place, _ in found:
            place.delete()
        return "1"

    monkeypatch.setattr("builtins.input", taken_elsewhere)
    assert "that game is played in another program, or over" in play("human", "--size=4").output
    for entries in ("b1", "b1 a2"):
        play(SCRIPT, "--size=4", entries=entries)
    answers(monkeypatch, "", "b1")
    assert "Transcript: b1a1\n" in play(SCRIPT, "--size=4").output


def test_games_are_saved_and_loaded(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers(
        monkeypatch, "b1", "a2", "save my.ggf", "save my.ggf", "save x.doc", "load b1", "load my.ggf", "d4"
    )
    shown = play(SCRIPT, "--size=4").output
    for line in (
        "saved: my.ggf",
        "my.ggf is there already: name a new file",
        "x.doc: unknown format; supported: .jsonl, ",
    ):
        assert f"\n{line}" in shown
    assert "left: b1 a1 a2 c1\n" in shown
    assert "Transcript: b1a1a2c1d4a3\n" in shown
    answers(monkeypatch, "d4")
    assert "Transcript: b1a1a2c1d4a3\n" in play(SCRIPT, "--load=my.ggf").output
    assert "there is no game 2" in play(SCRIPT, "--load=my.ggf", "--number=2").output


def test_a_game_of_another_size_has_new_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, "load nowhere.ggf", f"load {tmp_path}/large.jsonl")
    (tmp_path / "large.jsonl").write_text('{"size": 6, "moves": "c2"}\n', "utf-8")
    shown = play("greedy", "--size=4").output
    assert "nowhere.ggf: cannot be read: No such file or directory\n" in shown
    assert " --size=6 " in shown
