import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlglue import wire
from rlglue.errors import EncodingError, ProtocolError
from rlglue.types import Action, Observation, Observation_action, Reward_observation_terminal
from tests.rlglue.parts import captured_session

FULL = "0000000c 00000023 00000001 00000002 00000003 00000001 0000000000000000 3fe0000000000000 616263"


@pytest.mark.parametrize("data", [data for _, _, data in captured_session()], ids=lambda data: data[:8].hex())
def test_each_captured_message_whole_in_pieces_and_with_the_next_behind_it(data: bytes) -> None:
    expected = (data[3], data[8:])
    reader = wire.Reader()
    assert reader.next_message() is None
    for byte in data[:-1]:
        assert reader.take(bytes([byte])) is None
    assert reader.take(data[-1:]) == expected
    assert reader.take(data + data + data[:5]) == expected
    assert reader.next_message() == expected
    assert reader.next_message() is None
    assert reader.take(data[5:]) == expected
    assert not reader.buffer
    assert wire.encode_message(*expected) == data


def test_the_full_example_of_the_protocol_page() -> None:
    data = bytes.fromhex(FULL)
    observation = wire.OBSERVATION.decode(data[8:])
    assert observation.intArray.tolist() == [1]
    assert observation.doubleArray.tolist() == [0.0, 0.5]
    assert observation.charArray == [b"a", b"b", b"c"]
    assert observation.intArray.dtype == np.dtype("=i4")
    assert observation.doubleArray.dtype == np.dtype("=f8")
    assert wire.encode_message(wire.ENV_START.id, wire.OBSERVATION.encode(observation)) == data


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("00000006 ffffffff", "-1"),
        ("00000006 80000000", "-2147483648"),
        ("00000006 7fffffff", "expected 0 to 26000036"),
        ("0000004d 00000000", "unknown message id 77"),
        ("ffffffff 00000000", "unknown message id -1"),
    ],
)
def test_an_impossible_header_is_refused_before_its_body_comes(header: str, words: str) -> None:
    reader = wire.Reader()
    with pytest.raises(ProtocolError, match=words):
        reader.take(bytes.fromhex(header))


arrays = st.tuples(
    st.lists(st.integers(-(2**31), 2**31 - 1), max_size=40),
    st.lists(st.floats(allow_nan=False), max_size=5),
    st.text(st.characters(max_codepoint=255), max_size=5),
)


@given(arrays)
def test_arrays_come_back_as_they_were(values: tuple[list[int], list[float], str]) -> None:
    sent = Action()
    sent.intArray, sent.doubleArray, sent.charArray = values[0], values[1], list(values[2])
    data = sent.to_bytes()
    got = Action.from_buffer(b"ab" + data + b"c", 2)
    assert got.to_bytes() == Action.fromAbstractType(got).to_bytes() == data
    assert (
        got.intArray.tolist(),
        got.doubleArray.tolist(),
        b"".join(got.charArray).decode("latin-1"),
    ) == values
    assert got.to_bytes() == data
    assert got.sameAs(sent)


@given(st.binary(max_size=64))
def test_any_bytes_decode_or_are_a_protocol_error(data: bytes) -> None:
    decoders = (
        wire.TEXT.decode,
        wire.ACTION.decode,
        wire.STEP.decode,
        wire.REWARD_OBSERVATION.decode,
        wire.OBSERVATION_ACTION.decode,
        wire.STEP_ACTION.decode,
        wire.REWARD.decode,
        wire.COUNT.decode,
        wire.LIMIT.decode,
    )
    for decode in decoders:
        try:
            decode(data)
        except ProtocolError as error:
            assert "\n" not in str(error)  # noqa: PT017 - either outcome is right


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_texts_are_utf8_with_their_length_in_bytes(text: str) -> None:
    data = wire.TEXT.encode(text)
    assert struct.unpack(">I", data[:4])[0] == len(data) - 4
    assert wire.TEXT.decode(data) == text


def test_bad_texts() -> None:
    with pytest.raises(EncodingError, match="NUL"):
        wire.TEXT.encode("a\0b")
    with pytest.raises(ProtocolError, match="NUL"):
        wire.TEXT.decode(bytes.fromhex("00000003 610062"))
    with pytest.raises(ProtocolError, match="UTF-8"):
        wire.TEXT.decode(bytes.fromhex("00000001 ff"))
    with pytest.raises(ProtocolError, match="9 bytes announced"):
        wire.TEXT.decode(bytes.fromhex("00000009 6161"))
    assert wire.TEXT.encode(None) == bytes(4)


@pytest.mark.parametrize(
    "values",
    [
        (1, 2, 3),
        np.array([1, 2, 3], ">i8"),
        np.array([1, 2, 3], np.uint8),
        np.array([1.0, 2.0, 3.0], np.float32),
        np.array([[0, 1, 2, 3]], np.int32)[0, 1:],
        [np.int64(1), np.int32(2), 3.0],
        [True, 2, 3],
        np.arange(1, 7, dtype=np.int32)[:3:1],
        np.array([1, 0, 2, 0, 3], np.int32)[::2],
    ],
)
def test_the_encoder_takes_any_whole_numbers(values: object) -> None:
    action = Action()
    action.intArray = values
    assert Action.from_buffer(action.to_bytes()).intArray.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([0, 2**31], "2147483648; expected ints from -2147483648"),
        (np.array([0, -(2**31) - 1]), "-2147483649"),
        ([1.5], "1.5"),
        (["a"], "whole numbers"),
        ([[1], [2, 3]], "no flat sequence"),
        (np.zeros((2, 2), np.int32), "2 dimensions"),
        (3, "0 dimensions"),
        (np.zeros(1_000_001, np.int32), "at most 1000000"),
    ],
)
def test_ints_that_cannot_be_sent(values: object, words: str) -> None:
    action = Action()
    action.intArray = values
    with pytest.raises(EncodingError, match=words):
        action.to_bytes()


@pytest.mark.parametrize("chars", ["abc", b"abc", ["a", "b", "c"], [97, 98, 99], np.array(list("abc"))])
def test_chars_in_every_form(chars: object) -> None:
    action = Action()
    action.charArray = chars
    assert Action.from_buffer(action.to_bytes()).charArray == [b"a", b"b", b"c"]


def test_none_numpy_scalars_and_bools() -> None:
    assert wire.OBSERVATION.encode(None) == bytes(12)
    step = Reward_observation_terminal(0.0, None, False)
    step.r, step.terminal = np.float32(0.5), np.True_  # type: ignore[assignment]  # agents do such things
    got = wire.STEP.decode(wire.STEP.encode(step))
    assert (got.r, got.terminal) == (0.5, 1)
    with pytest.raises(EncodingError, match="terminal flag is 2"):
        wire.STEP.encode(Reward_observation_terminal(0.0, None, 2))
    with pytest.raises(EncodingError, match="expected a number"):
        wire.REWARD.encode("much")
    with pytest.raises(EncodingError, match="got int"):
        wire.OBSERVATION.encode(3)  # the mistake of an agent without types


def test_a_received_value_that_was_changed_is_sent_changed() -> None:
    observation = Observation.from_buffer(bytes.fromhex(FULL)[8:])
    observation.intArray[0] = 7
    assert Observation.from_buffer(observation.to_bytes()).intArray.tolist() == [7]
    assert Observation.from_buffer(observation.to_bytes()).charArray == [b"a", b"b", b"c"]


def test_announced_counts_are_checked_against_the_bytes_at_once() -> None:
    with pytest.raises(ProtocolError, match="4 bytes missing"):
        Observation.from_buffer(bytes.fromhex("00000001 00000000 00000000"))
    with pytest.raises(ProtocolError, match="at most 1000000"):
        Observation.from_buffer(bytes.fromhex("000f4241 00000000 00000000") + bytes(4_000_004))


def test_two_values_in_one_payload() -> None:
    value = Observation_action()
    value.o.intArray, value.a.intArray = [1, 2], [3]
    got = wire.OBSERVATION_ACTION.decode(wire.OBSERVATION_ACTION.encode(value) + b"more")
    assert (got.o.intArray.tolist(), got.a.intArray.tolist()) == ([1, 2], [3])
    assert wire.TEXT.decode(wire.TEXT.encode("a") + b"more") == "a"
