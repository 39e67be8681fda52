"""The three arrays of an observation or action, as big-endian bytes and back."""

import struct
from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rlglue.errors import EncodingError

_WIRE_INT: Final = np.dtype(">i4")
_WIRE_DOUBLE: Final = np.dtype(">f8")
_INT: Final = np.dtype(np.int32)
_DOUBLE: Final = np.dtype(np.float64)
_INT_RANGE: Final = np.iinfo(np.int32)
# Below this length struct is faster than a detour through numpy.
_SHORT: Final = 32
_SHORT_INTS: Final = [struct.Struct(f">{count}i") for count in range(_SHORT)]


def decode_ints(data: bytes, offset: int, count: int) -> NDArray[np.int32]:
    """The `count` ints at `offset`, in native byte order."""
    return np.frombuffer(data, _WIRE_INT, count, offset).astype(_INT)


def decode_doubles(data: bytes, offset: int, count: int) -> NDArray[np.float64]:
    """The `count` doubles at `offset`, in native byte order."""
    return np.frombuffer(data, _WIRE_DOUBLE, count, offset).astype(_DOUBLE)


def decode_chars(data: bytes, offset: int, count: int) -> list[str]:
    """The `count` chars at `offset`, one string of length 1 for each byte (Latin-1: 0 to 255)."""
    return list(data[offset : offset + count].decode("latin-1"))


def encode_ints(values: Any) -> bytes:  # noqa: ANN401 - whatever an agent put into intArray
    """Lists, tuples and numpy arrays of whole numbers that fit into 32 bits, as wire bytes."""
    if type(values) is list and len(values) < _SHORT:
        try:
            return _SHORT_INTS[len(values)].pack(*values)
        except struct.error:
            pass  # perhaps whole floats; numpy decides, and words the error
    if values is None:
        return b""
    if type(values) is np.ndarray and values.dtype is _INT and values.ndim == 1:
        return values.astype(_WIRE_INT).tobytes()
    array = _vector(values, "intArray")
    if array.dtype.kind not in "iub":
        array = _whole(array)
    if not np.can_cast(array.dtype, _INT) and array.size:
        _check_range(array)
    return array.astype(_WIRE_INT).tobytes()


def encode_doubles(values: Any) -> bytes:  # noqa: ANN401 - whatever an agent put into doubleArray
    """Lists, tuples and numpy arrays of real numbers, as wire bytes."""
    if values is None:
        return b""
    array = _vector(values, "doubleArray")
    if array.dtype.kind not in "fiub" and array.size:
        raise EncodingError(f"doubleArray holds {array.dtype}; expected real numbers")
    return array.astype(_WIRE_DOUBLE).tobytes()


def encode_chars(values: Any) -> bytes:  # noqa: ANN401 - whatever an agent put into charArray
    """A str, bytes, numpy array, or list of one-character strings, bytes or ints 0-255, as wire bytes."""
    try:
        if values is None:
            return b""
        if isinstance(values, str):
            return values.encode("latin-1")
        if isinstance(values, bytes | bytearray):
            return bytes(values)
        return bytes(_char_codes(values))
    except (TypeError, ValueError) as error:
        raise EncodingError(f"charArray holds something else than characters 0 to 255: {error}") from None


def _char_codes(values: Iterable[Any]) -> Iterable[int]:
    return (ord(value) if isinstance(value, str | bytes) else int(value) for value in values)


def _vector(values: Any, name: str) -> NDArray[Any]:  # noqa: ANN401 - see encode_ints
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise EncodingError(f"{name} is no flat sequence of numbers: {error}") from None
    if array.ndim != 1:
        raise EncodingError(f"{name} has {array.ndim} dimensions; expected 1 (flatten it first)")
    return array


def _whole(array: NDArray[Any]) -> NDArray[Any]:
    """Whole-valued floats pass, and an empty list, which numpy takes for floats; the rest is an error."""
    if not array.size:
        return array.astype(_INT)
    if array.dtype.kind == "f" and bool((array == np.floor(array)).all()):
        return array
    raise EncodingError(f"intArray holds {array.dtype} values such as {array[0]!r}; expected whole numbers")


def _check_range(array: NDArray[Any]) -> None:
    low, high = array.min(), array.max()
    if low < _INT_RANGE.min or high > _INT_RANGE.max:
        worst = low if low < _INT_RANGE.min else high
        raise EncodingError(
            f"intArray holds {worst}; expected ints from {_INT_RANGE.min} to {_INT_RANGE.max} (32 bits)"
        )
