"""The values in messages: observations, actions, rewards and texts, with the names of rlglue-py3.

In a received value, `intArray` is an int32 array, and `doubleArray` is a float64 array. `charArray` is a list
of bytes objects of length 1. In a new value, all three are lists. `numpy.asarray` reads arrays and lists of
numbers.
"""

import copy
import struct
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from rlglue.errors import EncodingError, ProtocolError

MAX_COUNT: Final = 1_000_000
"""The largest number of ints, of doubles and of chars in one observation or action."""

COUNTS: Final = struct.Struct(">III")
_unpack_counts: Final = COUNTS.unpack_from
EMPTY: Final = bytes(COUNTS.size)
"""The bytes of an empty observation or action."""
_WIRE_INT: Final = np.dtype(">i4")
_WIRE_DOUBLE: Final = np.dtype(">f8")
_INT: Final = np.dtype(np.int32)
_DOUBLE: Final = np.dtype(np.float64)
_ARRAYS: Final = ("intArray", "doubleArray", "charArray")
# For a shorter list, struct is faster than numpy.
_SHORT: Final = 32
_SHORT_INTS: Final = [struct.Struct(f">{count}i") for count in range(_SHORT)]
_new: Final = object.__new__


class RL_Abstract_Type:
    """An observation or an action. A received value is decoded at the first use of an array."""

    # The bytes of a received value begin at _at.
    _raw = EMPTY
    _at = 0

    def __init__(
        self, numInts: int | None = None, numDoubles: int | None = None, numChars: int | None = None
    ) -> None:
        """Create arrays of zeros with the given lengths."""
        self.intArray = [0] * numInts if numInts else []
        self.doubleArray = [0.0] * numDoubles if numDoubles else []
        self.charArray = [b"\0"] * numChars if numChars else []

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
        self: Self = _new(cls)
        vars(self).update({name: copy.copy(value) for name, value in vars(other).items()})
        return self

    # The type is Any because an agent may assign lists or arrays, which the encoder checks.

    @cached_property
    def intArray(self) -> Any:  # noqa: ANN401
        """The ints, an int32 array in a received value."""
        ints, _, _ = _unpack_counts(self._raw, self._at)
        return np.frombuffer(self._raw, _WIRE_INT, ints, self._at + 12).astype(_INT)

    @cached_property
    def doubleArray(self) -> Any:  # noqa: ANN401
        """The doubles, a float64 array in a received value."""
        ints, doubles, _ = _unpack_counts(self._raw, self._at)
        return np.frombuffer(self._raw, _WIRE_DOUBLE, doubles, self._at + 12 + 4 * ints).astype(_DOUBLE)

    @cached_property
    def charArray(self) -> Any:  # noqa: ANN401
        """The chars, a list of bytes objects in a received value."""
        _, _, chars = _unpack_counts(self._raw, self._at)
        return [bytes([char]) for char in self._raw[len(self._raw) - chars :]]

    def to_bytes(self) -> bytes:
        """Return the bytes of the value for a message."""
        if self._raw is not EMPTY and len(self.__dict__) == 2:  # no array was read or assigned
            return self._raw[self._at :]
        ints, doubles, chars = _encode_ints(self.intArray), self.doubleArray, self.charArray
        if type(doubles) is type(chars) is list and not (doubles or chars) and len(ints) <= 4 * MAX_COUNT:
            return COUNTS.pack(len(ints) // 4, 0, 0) + ints  # the usual case
        doubles, chars = _encode_doubles(doubles), _encode_chars(chars)
        counts = (len(ints) // 4, len(doubles) // 8, len(chars))
        if max(counts) > MAX_COUNT:
            raise EncodingError(
                f"{type(self).__name__} has {counts} ints, doubles, chars; at most {MAX_COUNT} of each may be"
            )
        return COUNTS.pack(*counts) + ints + doubles + chars

    def sameAs(self, other: "RL_Abstract_Type") -> bool:
        """Tell whether both values have the same numbers and characters."""
        return (
            np.array_equal(self.intArray, other.intArray)
            and np.array_equal(self.doubleArray, other.doubleArray)
            and _encode_chars(self.charArray) == _encode_chars(other.charArray)
        )

    def __repr__(self) -> str:
        parts = {name: np.asarray(getattr(self, name)).tolist() for name in _ARRAYS}
        text = ", ".join(f"{name}={part}" for name, part in parts.items() if part)
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
    if type(values) is np.ndarray and values.dtype is _INT and values.ndim == 1:  # the usual case
        return values.astype(_WIRE_INT).tobytes()
    if type(values) is list and len(values) < _SHORT:
        try:
            return _SHORT_INTS[len(values)].pack(*values)
        except struct.error:
            pass  # numpy accepts whole floats and writes a better error message
    array = _vector(values, "intArray")
    wrong = array
    if array.dtype.kind in "iubf":
        with np.errstate(invalid="ignore"):  # a number beyond 32 bits becomes another number
            ints = array.astype(_WIRE_INT)
        wrong = array[ints != array]
    if wrong.size:
        low, high = np.iinfo(_INT).min, np.iinfo(_INT).max
        raise EncodingError(f"intArray holds {wrong[0]}; expected ints from {low} to {high} (whole numbers)")
    return ints.tobytes()


def _encode_doubles(values: Any) -> bytes:  # noqa: ANN401 - whatever an agent put into doubleArray
    array = _vector(values, "doubleArray")
    if array.dtype.kind not in "fiub":
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
        array = np.asarray([] if values is None else values)
    except ValueError as error:
        raise EncodingError(f"{name} is no flat sequence of numbers: {error}") from None
    if array.ndim != 1:
        raise EncodingError(f"{name} has {array.ndim} dimensions; expected 1 (flatten it first)")
    return array if array.size else np.empty(0)


# Texts


_METHODS: Final = (
    *("__add__", "__contains__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"),
    *("count", "endswith", "find", "index", "join", "lstrip", "partition", "removeprefix", "removesuffix"),
    *("replace", "rfind", "rindex", "rpartition", "rsplit", "rstrip", "split", "startswith", "strip"),
    *("__getitem__", "__mul__", "lower", "splitlines", "upper"),
)


class Text(str):
    """A received text, which is a str whose methods also accept bytes (in UTF-8) and return Texts.

    Old agents compare a message with bytes, because rlglue-py3 gives them bytes.
    """

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
    def call(self: Text, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - those of the method
        return _to_text(method(self, *map(_to_str, arguments), **named))

    return call


for _name in _METHODS:
    setattr(Text, _name, _taking_bytes(getattr(str, _name)))
