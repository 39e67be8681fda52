import pytest

from tests.cases import cases
from tests.environment.parts import environment, stats


@pytest.mark.parametrize(("message", "complaint"), cases("messages_refused"))
def test_wrong_messages_are_answered_with_an_error(message: str, complaint: str) -> None:
    env = environment()
    before = stats(env)
    answer = env.env_message(message)
    assert answer.startswith("error:")
    assert any(part in answer for part in complaint.split("|"))
    assert stats(env) == before


@pytest.mark.parametrize("word", ["", "seed ", "episode ", "start ", "opponent ", "first ", "evaluation "])
@pytest.mark.parametrize(("character", "length"), [("9", 5_000), ("\x01", 7_000_000), ("d3", 7_000_000)])
def test_no_message_is_answered_at_length(word: str, length: int, character: str) -> None:
    env = environment()
    before = stats(env)
    answer = env.env_message(word + character * length)
    assert answer.startswith("error:")
    assert len(answer) < 1000
    assert stats(env) == before


def test_opponents_that_think_too_long_on_this_board_are_refused() -> None:
    assert environment().env_message("opponent minimax:depth=6").startswith("message understood")
    answer = environment(size=16).env_message("opponent minimax:depth=6")
    assert "'minimax:depth=6' is not allowed over the wire" in answer


@pytest.mark.parametrize("ends", [True, False])
def test_what_an_evaluation_left_changed_is_put_back_at_the_next_experiment(ends: bool) -> None:
    def present() -> list[object]:
        told = stats(env)
        return [told[name] for name in ("seed", "episode", "first", "start", "opponent")]

    env = environment(size=4, opponent="greedy", seed=3)
    before, changed = [3, 6, "alternate", "standard", "greedy"], [9, 1, "opponent", "b1", "random"]
    changes = ("seed 9", "episode 2", "first opponent", "start b1", "opponent random")
    messages = ("first alternate", "episode 7", "evaluation begins", *changes, *["evaluation ends"] * ends)
    for message in messages:
        assert env.env_message(message).startswith("message understood"), message
    assert present() == changed
    for seed in ((changed if ends else before)[0], 4):
        env.env_init()
        assert present() == [seed, *(changed if ends else before)[1:]]
        assert env.env_message("seed 4").startswith("message understood")


def test_render_message_and_option_draw_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    env = environment(size=4, render=True)
    env.env_start()
    drawn = capsys.readouterr().out
    assert drawn.strip("\n") == env.env_message("render")
    assert " 2 + O X ." in drawn
    assert "black to move" in drawn
