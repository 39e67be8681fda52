"""Whole games at the console, typed as a person would."""

import pytest
from click.testing import CliRunner, Result

from othello_lab.commands.play import command
from othello_lab.game import PASS, Game
from othello_lab.game.notation import square_name
from tests.console.conftest import ScriptPlayer

# 4x4; white has to pass after a3, black after d2.
FORCED = "b1c1d1a1a3d3d4c4d2a4b4a2"
# 4x4; white wins 11 to 3 with two squares empty.
OPTIMAL = "b1a1a2c1d4a3d1b4a4c4"
DRAW = "a2a3a4c1d1a1d3d4c4d2b1b4"


def play(arguments: list[str], entries: list[str]) -> Result:
    typed = "".join(f"{entry}\n" for entry in entries)
    return CliRunner().invoke(command, ["--size", "4", *arguments], input=typed, catch_exceptions=False)


def squares(transcript: str) -> list[str]:
    return [transcript[i : i + 2] for i in range(0, len(transcript), 2)]


def test_a_game_from_start_to_result() -> None:
    result = play([f"script:{OPTIMAL}"], squares(OPTIMAL)[::2])
    assert result.exit_code == 0
    assert "script:b1a1a2c1d4a3d1b4a4c4 (white) plays a1\n" in result.output
    assert "You lose: white wins, 11 to 3.\n" in result.output
    assert "Disc difference 8; final score 10, the empty squares going to the winner.\n" in result.output
    assert f"Transcript: {OPTIMAL}\n" in result.output
    assert result.output.count("your move") == 5
    assert "○ white (script:b1a1a2c1d4a3d1b4a4c4) 11" in result.output


def test_a_person_may_play_white() -> None:
    result = play([f"script:{OPTIMAL}", "--colour", "white"], squares(OPTIMAL)[1::2])
    assert (
        "Type a square such as d3, or help.\nscript:b1a1a2c1d4a3d1b4a4c4 (black) plays b1\n" in result.output
    )
    assert "your move (○ white): a1\n" in result.output
    assert "You win: white wins, 11 to 3.\n" in result.output


def test_one_convention_is_enough_when_they_agree() -> None:
    result = play([f"script:{DRAW}"], squares(DRAW)[::2])
    assert "Draw, 8 to 8.\n" in result.output
    assert "final score" not in result.output


def mine(transcript: str, colour: str) -> list[str]:
    """Return the moves that one side makes in a game with passes."""
    game = Game.from_transcript(transcript, 4)
    made = zip(game.boards, game.moves, strict=False)
    return [square_name(move, 4) for board, move in made if board.turn.value == colour and move != PASS]


@pytest.mark.parametrize("colour", ["black", "white"])
def test_forced_passes_are_made_and_said_for_both_sides(colour: str) -> None:
    result = play([f"script:{FORCED}", "--colour", colour], mine(FORCED, colour))
    other = "white" if colour == "black" else "black"
    name = f"script:{FORCED}"
    assert f"You ({colour}) have no legal move: you pass.\n" in result.output
    assert f"{name} ({other}) has no legal move: it passes, and you move again.\n" in result.output
    assert f"Transcript: {FORCED}\n" in result.output


def test_a_wrong_entry_explains_itself_and_asks_again() -> None:
    result = play([f"script:{OPTIMAL}"], ["a1", "b2", "e5", "hello", "", "pass", *squares(OPTIMAL)[::2]])
    for why in (
        "a1 is not legal here: it turns over no disc for black\nlegal: b1 a2 d3 c4\n",
        "b2 is not legal here: it is occupied\n",
        "'e5' is not on a board of 4x4: its squares are a1 to d4",
        "'hello' is no square: say one like d3, or row,col from 0 like 2,3; `help` lists the commands\n",
        "nothing was typed: say a square such as d3, or help\n",
        "a pass is not legal here: you have a move",
    ):
        assert why in result.output
    assert f"Transcript: {OPTIMAL}\n" in result.output


def test_row_and_column_are_taken_too() -> None:
    result = play([f"script:{OPTIMAL}"], ["0,1", "quit"])
    assert "Transcript: b1a1\n" in result.output


def test_undo_goes_back_to_ones_own_last_decision(scripts: list[ScriptPlayer]) -> None:
    result = play([f"script:{OPTIMAL}"], ["b1", "a2", "undo", "undo", "undo", *squares(OPTIMAL)[::2]])
    assert "taken back: a2 c1\n" in result.output
    assert "taken back: b1 a1\n" in result.output
    assert "There is nothing to take back" in result.output
    assert f"Transcript: {OPTIMAL}\n" in result.output
    assert len(scripts[0].heard) == 9


def test_undo_goes_back_over_a_pass() -> None:
    moves = mine(FORCED, "white")
    result = play([f"script:{FORCED}", "--colour", "white"], [*moves[:2], "undo", *moves[1:]])
    assert "taken back: a1 a3 pass d3\n" in result.output
    assert f"Transcript: {FORCED}\n" in result.output


def test_undo_as_white_leaves_the_opponents_first_move() -> None:
    result = play([f"script:{OPTIMAL}", "--colour", "white"], ["undo", "quit"])
    assert "There is nothing to take back" in result.output
    assert "Transcript: b1\n" in result.output


def test_a_hint_names_its_giver_and_plays_nothing() -> None:
    result = play(["script:f5", "--size", "8", "--hint", "script:f5"], ["hint", "quit"])
    assert "script:f5 would play f5\n" in result.output
    assert "Transcript" not in result.output


def test_the_board_is_shown_after_ones_own_move_too() -> None:
    shown = play([f"script:{OPTIMAL}"], ["b1", "quit"]).output
    mine, theirs = shown.index("\n 1  · [●] ·  · "), shown.index("\n 1 [○]")
    assert shown.index("your move (● black): b1") < mine < theirs
    assert "\n 2  · (●) ●  · " in shown[mine:theirs]


def test_a_terminal_sees_that_somebody_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "is thinking" in play([f"script:{OPTIMAL}"], ["b1", "quit"]).output
    monkeypatch.delenv("FORCE_COLOR")
    assert "is thinking" not in play([f"script:{OPTIMAL}"], ["b1", "quit"]).output


def test_a_hint_does_not_change_what_the_opponent_does() -> None:
    def replies(entries: list[str]) -> str:
        output = play(["random", "--seed", "5"], entries).output
        return output[output.index("Transcript") :]

    assert replies(["b1", "quit"]) == replies(["hint", "b1", "hint", "quit"])


def test_each_new_game_begins_from_an_opening_drawn_by_lot() -> None:
    words = ["human", "--size=8", "--openings=99", "--plain"]
    shown = [play([*words, f"--seed={seed}"], ["new", "new"]).output for seed in (1, 1, 2)]
    assert shown[0] == shown[1] != shown[2]
    left = [line for line in shown[0].splitlines() if line.startswith("left: ")]
    assert len(set(left)) == 2
    assert {len(line.split()) for line in left} == {1 + 4}


def test_the_seed_decides_the_game() -> None:
    def game(seed: int) -> str:
        arguments = ["random", "--size", "8", "--colour", "white", "--seed", str(seed)]
        return play(arguments, ["quit"]).output

    assert game(1) == game(1)
    assert len({game(seed) for seed in range(12)}) > 1


def test_random_colour_gives_both() -> None:
    def colour(seed: int) -> bool:
        return "your move (●" in play(["random", "--colour", "random", "--seed", str(seed)], ["quit"]).output

    assert {colour(seed) for seed in range(12)} == {True, False}


def test_moves_board_and_help() -> None:
    result = play(["greedy"], ["moves", "board", "help", "quit"])
    assert "legal: b1 a2 d3 c4\n" in result.output
    assert result.output.count(" 1  ·  +  ·  · ") == 2
    assert "undo          take back to your previous decision\n" in result.output


@pytest.mark.parametrize(("entries", "line"), [(["quit"], "You left the game."), ([], "End of input")])
def test_leaving_gives_the_transcript_so_far(
    scripts: list[ScriptPlayer], entries: list[str], line: str
) -> None:
    result = play([f"script:{OPTIMAL}"], ["b1", *entries])
    assert result.exit_code == 0
    assert line in result.output
    assert "Transcript: b1a1\n" in result.output
    assert scripts[0].closed


def test_ctrl_c_leaves_with_a_line(monkeypatch: pytest.MonkeyPatch, scripts: list[ScriptPlayer]) -> None:
    def interrupt(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    result = play([f"script:{OPTIMAL}"], [])
    assert result.exit_code == 130
    assert "Interrupted: the game stops here.\n" in result.output
    assert scripts[0].closed


def test_the_last_line_plays_on_from_there() -> None:
    left = play([f"script:{OPTIMAL}"], ["b1", "quit"]).output
    words = left.splitlines()[-1].partition("othello play ")[2].split()
    again = CliRunner().invoke(command, words, input="a2\nquit\n")
    assert "Transcript: b1a1a2c1\n" in again.output


def test_a_finished_transcript_shows_its_result() -> None:
    result = play(["greedy", "--transcript", OPTIMAL], [])
    assert "You lose: white wins, 11 to 3.\n" in result.output


def test_an_ascii_output_gets_letters_and_survives_what_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["\u2192", "quit"])
    monkeypatch.setattr("builtins.input", lambda *_: next(typed))
    result = CliRunner(charset="ascii").invoke(command, ["greedy", "--size", "4"], catch_exceptions=False)
    assert " 2  +  O  X  . \n" in result.output
    assert r"'\u2192' is no square" in result.output


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--size", "7"], "--size: a board of 7x7 does not exist: the size must be even, from 4 to 16"),
        (["--size", "18"], "--size: a board of 18x18"),
        (["--colour", "red"], "'--color': 'red' is not one of 'black', 'white', 'random'"),
        (["--seed", "-1"], "'--seed'"),
        (
            ["nobody"],
            "TEXT: there is no player, run or checkpoint 'nobody'; there are: random, greedy",
        ),
        (["greedy:3"], "TEXT: greedy takes no argument"),
        (["--hint", "nobody"], "--hint: there is no player, run or checkpoint 'nobody'"),
        (["--transcript", "a1"], "--transcript: 'a1': move 1: a1 is not legal here"),
        (["--openings", "237", "--size", "8"], "--openings: there are 236 openings on 8x8, not 237"),
        (["--openings", "xot"], "'xot' is no number and no file of games"),
        (
            ["--openings", "3", "--transcript", "b1"],
            "--openings and --transcript both say where the game begins",
        ),
        (["--openings", "3", "--resume"], "--resume and --openings both say where the game begins"),
        (["--load", "x.ggf", "--transcript", "b1"], "--load and --transcript both say where the game begins"),
        (["--number", "2"], "--number: there is no file"),
        (["--screenshot", "x.svg", "--web"], "--web: --screenshot draws a new game"),
        (["--transcript", "zz"], "--transcript: 'zz' is neither a position nor a list of moves"),
    ],
)
def test_a_wrong_option_is_named(arguments: list[str], why: str) -> None:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 2
    assert why in result.output
