import json
from typing import Any

import pytest

from rlglue import wire
from rlglue.messages import LARGEST_SEED, answer, natural
from rlglue.types import Text
from tests.rlglue.parts import CountingAgent, hosting


def refuse(text: str) -> str:
    raise ValueError(f"{text!r} is refused")


HANDLERS = {"freeze learning": lambda _: "frozen", "save": lambda name: f"saved {name}", "refuse": refuse}


@pytest.mark.parametrize(
    ("message", "output"),
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
def test_a_message_is_obeyed_or_refused(message: str, output: str) -> None:
    assert answer(HANDLERS, message, "agent") == output


@pytest.mark.parametrize("message", ["x" * 9_000, "refuse " + "\x01" * 9_000, "save " + "x" * 7_000_000])
def test_an_error_is_short_whatever_the_message(message: str) -> None:
    output = answer(HANDLERS, message, "agent")
    assert output.startswith("error: ")
    assert len(output) < 1000


@pytest.mark.parametrize("text", ["", "-1", "x", "1.0", "²", str(LARGEST_SEED + 1), "9" * 5000])
def test_a_seed_is_a_bounded_whole_number(text: str) -> None:
    with pytest.raises(ValueError, match=f"is no whole number from 0 to {LARGEST_SEED}") as caught:
        natural(text, LARGEST_SEED)
    assert len(str(caught.value)) < 300
    assert natural(str(LARGEST_SEED), LARGEST_SEED) == LARGEST_SEED


class BytesAgent(CountingAgent):
    def agent_message(self, inMessage: str) -> Any:  # noqa: ANN401, N803 - as it was written there
        message: Any = inMessage
        answer: Any
        if message.startswith(b"freeze learning"):
            answer = b"message understood, policy frozen"
        elif message == b"who":
            answer = b"bytes"
        elif b" " in message:
            name, argument = message.split(b" ", 1)
            answer = {b"save_policy": b"saved "}[name] + argument
        else:
            answer = b"I don't understand " + message + b"!"
        return answer


def test_an_old_agent_is_asked_over_tcp() -> None:
    with hosting(BytesAgent()) as server:
        ask: Any = server.glue.RL_agent_message
        assert ask("freeze learning") == "message understood, policy frozen"
        assert ask(b"who") == b"bytes"
        assert ask("save_policy grün.dat") == "saved grün.dat"
        assert ask("hello") == "I don't understand hello!"
        assert ask("hello").decode() == "I don't understand hello!"


def test_a_text_is_a_str_first() -> None:
    text: Any = wire.TEXT.decode(wire.TEXT.encode("grün 1"))
    assert issubclass(type(text), str)
    assert (text, hash(text), f"{text}", repr(text)) == ("grün 1", hash("grün 1"), "grün 1", "'grün 1'")
    assert {"grün 1": 1}[text] == 1
    assert json.loads(json.dumps({"a": text})) == {"a": "grün 1"}
    assert text != b"gr\xff"
    assert b"<" + text == "<grün 1"
    with pytest.raises(TypeError):
        text + 1


def test_what_comes_of_a_text_takes_bytes_too() -> None:
    text: Any = Text("load weights.dat now")
    assert text.split()[1] == b"weights.dat"
    assert text.partition(b" ")[2].endswith((b"now", "then"))
    assert text.upper().strip(b"L") == b"OAD WEIGHTS.DAT NOW"
    assert (text + b"!")[-4:] == b"now!"
    assert text.replace(b"now", b"later").find(b"later") == 17
    assert text[4].join([b"a", "b"]) == "a b"
