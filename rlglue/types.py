"""The values in messages: observations, actions, rewards and texts, with the names of rlglue-py3."""

import copy
import struct
from collections.abc import Callable
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from rlglue.errors import EncodingError, ProtocolError

# The maximum number of ints, of doubles and of chars in one observation or action.
MAX_COUNT: Final = 1_000_000

COUNTS: Final = struct.Struct(">III")
_unpack_counts: Final = COUNTS.unpack_from
EMPTY: Final = bytes(COUNTS.size)  # The bytes of an empty observation or action.
_WIRE_INT: Final = np.dtype(">i4")
_WIRE_DOUBLE: Final = np.dtype(">f8")
_INT: Final = np.dtype(np.int32)
_DOUBLE: Final = np.dtype(np.float64)
_NO_DOUBLES: Final = np.empty(0)
# The list length from which numpy is faster than struct.
_SHORT: Final = 32
_SHORT_INTS: Final = [struct.Struct(f">{count}i") for count in range(_SHORT)]
_new: Final = object.__new__


class RL_Abstract_Type:
    """An observation or an action. A received value is decoded only at the first use of an array."""

    # The bytes of a received value begin at _raw[_at]. After decoding and in a new value, _raw is None.
    _raw: bytes | None = None
    _at = 0
    # An agent may assign lists or arrays. None means an empty list, which is created at the first read.
    _ints: Any = None
    _doubles: Any = None
    _chars: Any = None

    def __init__(
        self, numInts: int | None = None, numDoubles: int | None = None, numChars: int | None = None
    ) -> None:
        """Create lists of zeros with the given lengths."""
        if numInts:
            self._ints = [0] * numInts
        if numDoubles:
            self._doubles = [0.0] * numDoubles
        if numChars:
            self._chars = [b"\0"] * numChars

    @classmethod
    def from_buffer(cls, data: bytes, offset: int = 0) -> Self:
        """Return the value whose bytes start at `offset`. Raises ProtocolError for incomplete bytes."""
        end = wire_end(data, offset)
        self: Self = _new(cls)
        # The bytes before `offset` are kept, because a copy without them is slow.
        self._raw = data if end == len(data) else data[:end]
        self._at = offset
        return self

    @classmethod
    def fromAbstractType(cls, other: "RL_Abstract_Type") -> Self:
        """Return a copy of `other` as an instance of this class."""
        self = cls()
        self._raw, self._at = other._raw, other._at
        self._ints = copy.copy(other._ints)
        self._doubles = copy.copy(other._doubles)
        self._chars = copy.copy(other._chars)
        return self

    def to_bytes(self) -> bytes:
        """Return the bytes of the value for a message."""
        if self._raw is not None:
            return self._raw[self._at :]
        ints = _encode_ints(self._ints)
        if self._doubles is None and self._chars is None and len(ints) <= 4 * MAX_COUNT:  # the usual case
            return COUNTS.pack(len(ints) // 4, 0, 0) + ints
        doubles, chars = _encode_doubles(self._doubles), _encode_chars(self._chars)
        counts = (len(ints) // 4, len(doubles) // 8, len(chars))
        if max(counts) > MAX_COUNT:
            raise EncodingError(
                f"{type(self).__name__} has {counts} ints, doubles, chars; at most {MAX_COUNT} of each may be"
            )
        return COUNTS.pack(*counts) + ints + doubles + chars

    def sameAs(self, other: "RL_Abstract_Type") -> bool:
        """Return whether both values have the same numbers and characters."""
        return (
            np.array_equal(self.intArray, other.intArray)
            and np.array_equal(self.doubleArray, other.doubleArray)
            and _encode_chars(self.charArray) == _encode_chars(other.charArray)
        )

    def _unpack(self) -> None:
        raw = self._raw
        if raw is None:
            return
        start = self._at + 12
        ints, doubles, chars = _unpack_counts(raw, self._at)
        self._ints = np.frombuffer(raw, _WIRE_INT, ints, start).astype(_INT)
        self._doubles = _NO_DOUBLES
        if doubles:
            self._doubles = np.frombuffer(raw, _WIRE_DOUBLE, doubles, start + 4 * ints).astype(_DOUBLE)
        if chars:
            self._chars = [raw[at : at + 1] for at in range(len(raw) - chars, len(raw))]
        self._raw = None

    @property
    def intArray(self) -> Any:  # noqa: ANN401 - an int32 array if received, else what was assigned
        """The ints: an int32 array in a received value, a list in a new value."""
        if self._raw is not None:
            self._unpack()
        if self._ints is None:
            self._ints = []
        return self._ints

    @intArray.setter
    def intArray(self, values: Any) -> None:  # noqa: ANN401 - checked by the encoder
        if self._raw is not None:
            self._unpack()
        self._ints = values

    @property
    def doubleArray(self) -> Any:  # noqa: ANN401 - a float64 array if received, else what was assigned
        """The doubles: a float64 array in a received value, a list in a new value."""
        self._unpack()
        if self._doubles is None:
            self._doubles = []
        return self._doubles

    @doubleArray.setter
    def doubleArray(self, values: Any) -> None:  # noqa: ANN401 - checked by the encoder
        self._unpack()
        self._doubles = values

    @property
    def charArray(self) -> Any:  # noqa: ANN401 - a list of bytes if received, else what was assigned
        """The chars: a list of bytes objects of length 1 in a received value."""
        self._unpack()
        if self._chars is None:
            self._chars = []
        return self._chars

    @charArray.setter
    def charArray(self, values: Any) -> None:  # noqa: ANN401 - checked by the encoder
        self._unpack()
        self._chars = values

    def __repr__(self) -> str:
        parts = {"intArray": self.intArray, "doubleArray": self.doubleArray, "charArray": self.charArray}
        text = ", ".join(f"{name}={np.asarray(part).tolist()}" for name, part in parts.items() if len(part))
        return f"{type(self).__name__}({text})"


def wire_end(data: bytes, offset: int) -> int:
    """Return the end index of the value that starts at `offset`. Raises ProtocolError for incomplete data."""
    try:
        ints, doubles, chars = _unpack_counts(data, offset)
    except struct.error:
        raise ProtocolError(
            f"cut off: {len(data)} bytes where an observation or action of at least 12 was expected "
            f"behind the first {offset}"
        ) from None
    end: int = offset + 12 + 4 * ints + 8 * doubles + chars
    if end <= len(data) <= MAX_COUNT:  # the usual case, in which no count can be too large
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
    """The observation of an environment."""


class Action(RL_Abstract_Type):
    """The action of an agent."""


class Observation_action:
    """The answer to RL_start."""

    def __init__(self, theObservation: Observation | None = None, theAction: Action | None = None) -> None:
        self.o = Observation() if theObservation is None else theObservation
        self.a = Action() if theAction is None else theAction


class Reward_observation_terminal:
    """The answer to env_step."""

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
    """The answer to RL_step. After a terminal step, the action is empty."""

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


# The three arrays as bytes


def _encode_ints(values: Any) -> bytes:  # noqa: ANN401 - whatever an agent put into intArray
    if type(values) is list and len(values) < _SHORT:
        try:
            return _SHORT_INTS[len(values)].pack(*values)
        except struct.error:
            pass  # numpy accepts whole floats and writes a better error message
    if values is None:
        return b""
    if type(values) is np.ndarray and values.dtype is _INT and values.ndim == 1:
        return values.astype(_WIRE_INT).tobytes()
    array = _vector(values, "intArray")
    if array.dtype.kind not in "iub":
        # Whole floats are accepted, and so is an empty list, which numpy reads as floats.
        if array.size and not (array.dtype.kind == "f" and bool((array == np.floor(array)).all())):
            raise EncodingError(
                f"intArray holds {array.dtype} values such as {array[0]!r}; expected whole numbers"
            )
        array = array if array.size else array.astype(_INT)
    if array.size and not np.can_cast(array.dtype, _INT):
        low, high = np.iinfo(_INT).min, np.iinfo(_INT).max
        for value in (array.min(), array.max()):
            if not low <= value <= high:
                raise EncodingError(f"intArray holds {value}; expected ints from {low} to {high} (32 bits)")
    return array.astype(_WIRE_INT).tobytes()


def _encode_doubles(values: Any) -> bytes:  # noqa: ANN401 - whatever an agent put into doubleArray
    if values is None:
        return b""
    array = _vector(values, "doubleArray")
    if array.dtype.kind not in "fiub" and array.size:
        raise EncodingError(f"doubleArray holds {array.dtype}; expected real numbers")
    return array.astype(_WIRE_DOUBLE).tobytes()


def _encode_chars(values: Any) -> bytes:  # noqa: ANN401 - whatever an agent put into charArray
    """Encode a str, bytes, or a list or array of characters, single bytes, or ints 0 to 255."""
    try:
        if values is None:
            return b""
        if isinstance(values, str):
            return values.encode("latin-1")
        if isinstance(values, bytes | bytearray):
            return bytes(values)
        return bytes(ord(value) if isinstance(value, str | bytes) else int(value) for value in values)
    except (TypeError, ValueError) as error:
        raise EncodingError(f"charArray holds something else than characters 0 to 255: {error}") from None


def _vector(values: Any, name: str) -> NDArray[Any]:  # noqa: ANN401 - see _encode_ints
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise EncodingError(f"{name} is no flat sequence of numbers: {error}") from None
    if array.ndim != 1:
        raise EncodingError(f"{name} has {array.ndim} dimensions; expected 1 (flatten it first)")
    return array


# Texts


_METHODS: Final = (
    *("__add__", "__contains__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"),
    *("count", "endswith", "find", "index", "join", "lstrip", "partition", "removeprefix", "removesuffix"),
    *("replace", "rfind", "rindex", "rpartition", "rsplit", "rstrip", "split", "startswith", "strip"),
    *("__getitem__", "__mul__", "lower", "splitlines", "upper"),
)


class Text(str):
    """A received text: a str whose methods accept bytes, too, because old agents compare texts with bytes."""

    __slots__ = ()
    __hash__ = str.__hash__

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """Return the text as a plain str."""
        return str(self)

    def __radd__(self, other: str | bytes) -> "Text":
        return Text(_to_str(other) + str(self))


def _to_str(value: Any) -> Any:  # noqa: ANN401 - any argument of a method of str
    """Convert bytes to str, also inside a tuple or list."""
    if isinstance(value, bytes | bytearray):
        return value.decode("utf-8", "surrogateescape")
    return type(value)(map(_to_str, value)) if type(value) in (tuple, list) else value


def _to_text(value: Any) -> Any:  # noqa: ANN401 - any result of a method of str
    """Convert a str to Text, also inside a tuple or list."""
    if type(value) is str:
        return Text(value)
    return type(value)(map(_to_text, value)) if type(value) in (tuple, list) else value


def _taking_bytes(method: Callable[..., Any]) -> Callable[..., Any]:
    def call(self: Text, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - the types of the method
        return _to_text(method(self, *map(_to_str, arguments), **named))

    return call


for _name in _METHODS:
    setattr(Text, _name, _taking_bytes(getattr(str, _name)))
