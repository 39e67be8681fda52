"""The control channel of whoever answers."""

import pytest

from rlglue.messages import LARGEST_SEED, answer, natural


def refuse(text: str) -> str:
    raise ValueError(f"{text!r} is refused")


HANDLERS = {"freeze learning": lambda _: "frozen", "save": lambda name: f"saved {name}", "refuse": refuse}


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("freeze learning", "frozen"),
        (" save  here ", "saved here"),
        ("help", "freeze learning\nsave\nrefuse\nhelp"),
        ("refuse me", "error: 'me' is refused"),
        (
            "savehere",
            "error: 'savehere' is no message of this agent; it takes freeze learning, save, refuse, help",
        ),
    ],
)
def test_a_message_is_obeyed_or_refused(message: str, said: str) -> None:
    assert answer(HANDLERS, message, "agent") == said


def test_an_unknown_message_is_answered_with_what_there_is() -> None:
    said = "error: 'savehere' is no message of this agent; it takes freeze learning, save, refuse, help"
    assert answer(HANDLERS, "savehere", "agent") == said


@pytest.mark.parametrize("message", ["x" * 9_000, "refuse " + "\x01" * 9_000, "save " + "x" * 7_000_000])
def test_an_error_is_short_whatever_the_message(message: str) -> None:
    said = answer(HANDLERS, message, "agent")
    assert said.startswith("error: ")
    assert len(said) < 1000


@pytest.mark.parametrize("text", ["", "-1", "x", "1.0", "²", str(LARGEST_SEED + 1), "9" * 5000])
def test_a_seed_is_a_bounded_whole_number(text: str) -> None:
    with pytest.raises(ValueError, match=f"is no whole number from 0 to {LARGEST_SEED}") as caught:
        natural(text, LARGEST_SEED)
    assert len(str(caught.value)) < 300


def test_a_large_seed_is_taken_as_it_is() -> None:
    assert natural(str(LARGEST_SEED), LARGEST_SEED) == LARGEST_SEED
