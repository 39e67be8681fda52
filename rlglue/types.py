"""The values that travel: observations, actions and rewards, under the names of rlglue-py3.

Arrays that were received are native-order numpy (int32, float64); `charArray` is a list of one-character
strings, which is what old code joins, indexes and compares. Constructed arrays are lists. An agent that
is to run over TCP and in process should therefore read them with `numpy.asarray`.
"""

import copy
import struct
from typing import Any, Final, Self

import numpy as np

from rlglue.codec import arrays
from rlglue.errors import EncodingError, ProtocolError

MAX_COUNT: Final = 1_000_000
"""The most ints, doubles or chars that one observation or action may have."""

COUNTS: Final = struct.Struct(">III")
EMPTY: Final = bytes(COUNTS.size)
_new: Final = object.__new__


class RL_Abstract_Type:
    """An observation or an action: three arrays, `intArray`, `doubleArray` and `charArray`.

    One that came off the wire keeps its bytes and decodes them when an array is first asked for. Until
    then it is sent on as it came, so a server relays without decoding.
    """

    def __init__(
        self, numInts: int | None = None, numDoubles: int | None = None, numChars: int | None = None
    ) -> None:
        """Zeros, as many as asked for."""
        self._raw: bytes | None = None
        self._at = 0
        # Any: lists or arrays, whatever an agent assigns; the encoder judges it.
        self._ints: Any = [0] * numInts if numInts else []
        self._doubles: Any = [0.0] * numDoubles if numDoubles else []
        self._chars: Any = ["\0"] * numChars if numChars else []

    @classmethod
    def from_buffer(cls, data: bytes, offset: int = 0) -> Self:
        """The value that starts at `offset`; bytes behind it are left alone. ProtocolError if cut off."""
        end = wire_end(data, offset)
        self: Self = _new(cls)
        # Not cut out: that would cost more than all the rest.
        self._raw = data if end == len(data) else data[:end]
        self._at = offset
        return self

    @classmethod
    def fromAbstractType(cls, other: "RL_Abstract_Type") -> Self:
        """A copy of `other` as an instance of this class."""
        self = cls()
        self._raw = other._raw
        if other._raw is not None:
            self._at = other._at
        else:
            self._ints = copy.copy(other._ints)
            self._doubles = copy.copy(other._doubles)
            self._chars = copy.copy(other._chars)
        return self

    def to_bytes(self) -> bytes:
        """The value as it goes over the wire."""
        if self._raw is not None:
            return self._raw[self._at :]
        ints, doubles, chars = arrays.encode_ints(self._ints), self._doubles, self._chars
        # Asking first whether they are there at all: mostly they are not.
        only_ints = type(doubles) is list and not doubles and type(chars) is list and not chars
        if only_ints and len(ints) <= MAX_COUNT:
            return COUNTS.pack(len(ints) // 4, 0, 0) + ints
        doubles, chars = arrays.encode_doubles(doubles), arrays.encode_chars(chars)
        counts = (len(ints) // 4, len(doubles) // 8, len(chars))
        if max(counts) > MAX_COUNT:
            raise EncodingError(
                f"{type(self).__name__} has {counts} ints, doubles, chars; at most {MAX_COUNT} of each may be"
            )
        return COUNTS.pack(*counts) + ints + doubles + chars

    def sameAs(self, other: "RL_Abstract_Type") -> bool:
        """True if both hold the same numbers and characters."""
        return (
            np.array_equal(self.intArray, other.intArray)
            and np.array_equal(self.doubleArray, other.doubleArray)
            and arrays.encode_chars(self.charArray) == arrays.encode_chars(other.charArray)
        )

    def _unpack(self) -> None:
        """Decode the arrays and drop the bytes: from now on the owner may change the arrays."""
        raw = self._raw
        if raw is None:
            return
        ints, doubles, chars = COUNTS.unpack_from(raw, self._at)
        start = self._at + COUNTS.size
        self._ints = arrays.decode_ints(raw, start, ints)
        self._doubles = arrays.decode_doubles(raw, start + 4 * ints, doubles)
        self._chars = arrays.decode_chars(raw, start + 4 * ints + 8 * doubles, chars)
        self._raw = None

    @property
    def intArray(self) -> Any:  # noqa: ANN401 - an int32 array if received, else what was assigned
        """The ints."""
        if self._raw is not None:
            self._unpack()
        return self._ints

    @intArray.setter
    def intArray(self, values: Any) -> None:  # noqa: ANN401 - judged by the encoder
        if self._raw is not None:
            self._unpack()
        self._ints = values

    @property
    def doubleArray(self) -> Any:  # noqa: ANN401 - a float64 array if received, else what was assigned
        """The doubles."""
        if self._raw is not None:
            self._unpack()
        return self._doubles

    @doubleArray.setter
    def doubleArray(self, values: Any) -> None:  # noqa: ANN401 - judged by the encoder
        self._unpack()
        self._doubles = values

    @property
    def charArray(self) -> Any:  # noqa: ANN401 - a list of characters if received, else what was assigned
        """The chars."""
        if self._raw is not None:
            self._unpack()
        return self._chars

    @charArray.setter
    def charArray(self, values: Any) -> None:  # noqa: ANN401 - judged by the encoder
        self._unpack()
        self._chars = values

    def __repr__(self) -> str:
        parts = {"intArray": self.intArray, "doubleArray": self.doubleArray, "charArray": self.charArray}
        text = ", ".join(f"{name}={np.asarray(part).tolist()}" for name, part in parts.items() if len(part))
        return f"{type(self).__name__}({text})"


def wire_end(data: bytes, offset: int) -> int:
    """Where the value that starts at `offset` ends; ProtocolError if that is beyond the end of `data`."""
    try:
        ints, doubles, chars = COUNTS.unpack_from(data, offset)
    except struct.error:
        raise ProtocolError(
            f"cut off: {len(data)} bytes where an observation or action of at least 12 was expected "
            f"behind the first {offset}"
        ) from None
    end: int = offset + 12 + 4 * ints + 8 * doubles + chars
    if end <= len(data) <= MAX_COUNT:  # as it usually is, and then no count can be too large
        return end
    if ints > MAX_COUNT or doubles > MAX_COUNT or chars > MAX_COUNT:
        raise ProtocolError(
            f"{ints} ints, {doubles} doubles, {chars} chars announced; expected at most {MAX_COUNT} of each"
        )
    if end > len(data):
        raise ProtocolError(
            f"cut off: {ints} ints, {doubles} doubles, {chars} chars announced, "
            f"{end - len(data)} bytes missing"
        )
    return end


class Observation(RL_Abstract_Type):
    """What an environment shows."""


class Action(RL_Abstract_Type):
    """What an agent does."""


class Observation_action:
    """The answer of RL_start."""

    def __init__(self, theObservation: Observation | None = None, theAction: Action | None = None) -> None:
        self.o = Observation() if theObservation is None else theObservation
        self.a = Action() if theAction is None else theAction


class Reward_observation_terminal:
    """The answer of env_step."""

    def __init__(
        self,
        reward: float | None = None,
        theObservation: Observation | None = None,
        terminal: bool | int | None = None,
    ) -> None:
        self.r: float = 0.0 if reward is None else reward
        self.o = Observation() if theObservation is None else theObservation
        self.terminal: int = 0 if terminal is None else terminal


class Reward_observation_action_terminal:
    """The answer of RL_step. The action is empty when the step was terminal."""

    def __init__(
        self,
        reward: float | None = None,
        theObservation: Observation | None = None,
        theAction: Action | None = None,
        terminal: bool | int | None = None,
    ) -> None:
        self.r: float = 0.0 if reward is None else reward
        self.o = Observation() if theObservation is None else theObservation
        self.a = Action() if theAction is None else theAction
        self.terminal: int = 0 if terminal is None else terminal
