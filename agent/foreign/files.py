"""Files of anybody: how much of one is read, and a pickle as a description of what it would call.

`pickletools` splits the bytes into opcodes; those that `torch.save` writes for a state dict are known here.
"""

import errno
import pickletools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

LARGEST: Final = 128 * 2**20
"""Bytes of weights that are read: 33 million numbers."""


class PolicyError(ValueError):
    """A file that is no policy that can be played here."""


@contextmanager
def reading(path: Path, expected: str) -> Iterator[None]:
    """Turn whatever goes wrong in reading a file into PolicyError; `expected` is what the file had to be."""
    try:
        yield
    except PolicyError:
        raise
    except Exception as error:  # of many kinds: zipfile alone raises eight for damaged bytes
        # Invalid is where a damaged zip says that something lies.
        if isinstance(error, OSError) and error.strerror and error.errno != errno.EINVAL:
            raise PolicyError(f"the policy {path} could not be read: {error.strerror}") from None
        raise PolicyError(f"{path} {expected}") from None


def read(path: Path) -> bytes:
    """Return what is in a file; raise PolicyError if it cannot be read or is too large."""
    with reading(path, "could not be read"), path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise PolicyError(f"{path} is larger than the {LARGEST} bytes that are read")
    return data


def member(path: Path, archive: ZipFile, name: str, largest: int = LARGEST) -> bytes:
    """Return what a zip holds under a name.

    Raises PolicyError for more than `largest` bytes, and whatever zipfile raises for a damaged file.
    """
    info = archive.getinfo(name)
    # What else zipfile unpacks it unpacks whole, however large.
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise PolicyError(
            f"{path} has {name!r} packed in a way that is not read: expected stored or deflated"
        )
    if info.file_size > largest:
        raise PolicyError(f"{path} has {name!r} of {info.file_size} bytes: at most {largest} are read")
    with archive.open(info) as file:
        return file.read(largest)


_VALUES: Final = (
    "BININT",
    "BININT1",
    "BININT2",
    "LONG1",
    "BINFLOAT",
    "BINUNICODE",
    "SHORT_BINUNICODE",
    "GLOBAL",
)
"""What brings a value along."""
_CONSTANTS: Final = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}


class Call(NamedTuple):
    """What would have been called with what."""

    function: object
    """Its module, a space, its name."""
    arguments: object


class Outside(NamedTuple):
    """What is kept outside the pickle, and how it is found there."""

    key: object


def describe(data: bytes) -> object:
    """Return what a pickle describes: values, tuples and dicts of them, Call and Outside.

    Raises exceptions of many kinds for bytes that are none, or that describe anything else.
    """
    return _Reader().read(data)


class _Reader:
    def __init__(self) -> None:
        self._stack: list[object] = []
        self._marks: list[int] = []
        self._memo: dict[int, object] = {}

    def read(self, data: bytes) -> object:
        for opcode, argument, _ in pickletools.genops(data):
            if opcode.name == "STOP":
                break
            self._obey(opcode.name, argument)
        return self._stack.pop()

    def _obey(self, name: str, argument: object) -> None:
        stack = self._stack
        match name:
            case "PROTO" | "FRAME":
                pass
            case "MARK":
                self._marks.append(len(stack))
            case "BINPUT" | "LONG_BINPUT" | "MEMOIZE":
                self._memo[argument if isinstance(argument, int) else len(self._memo)] = stack[-1]
            case "SETITEM":
                self._set_items(self._pop(2))
            case "SETITEMS":
                self._set_items(self._pop_to_mark())
            case "BUILD":  # attributes of a dict, such as the _metadata of a state dict
                stack.pop()
            case _:
                stack.append(self._value(name, argument))

    def _value(self, name: str, argument: object) -> object:
        """Return what an opcode puts on the stack, of what it takes from there."""
        if name in _VALUES:
            return argument
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        match name:
            case "EMPTY_DICT":
                return {}
            case "TUPLE1" | "TUPLE2" | "TUPLE3" | "TUPLE":
                return tuple(self._pop_to_mark() if name == "TUPLE" else self._pop(int(name[-1])))
            case "BINGET" | "LONG_BINGET":
                return self._memo[argument]  # type: ignore[index]  # an int: so genops reads it
            case "STACK_GLOBAL":
                return "{} {}".format(*self._pop(2))
            case "BINPERSID":
                return Outside(self._stack.pop())
            case "REDUCE":
                return _called(*self._pop(2))
            case _:
                raise ValueError(f"no opcode of a state dict: {name}")

    def _pop(self, count: int) -> list[object]:
        return self._pop_from(len(self._stack) - count)

    def _pop_to_mark(self) -> list[object]:
        return self._pop_from(self._marks.pop())

    def _pop_from(self, first: int) -> list[object]:
        if not 0 <= first <= len(self._stack):
            raise ValueError("the stack is empty")
        items = self._stack[first:]
        del self._stack[first:]
        return items

    def _set_items(self, items: list[object]) -> None:
        into = self._stack[-1]
        for key, value in zip(items[::2], items[1::2], strict=True):
            # The hash of tuples within tuples takes for ever.
            if not (isinstance(into, dict) and isinstance(key, str | int)):
                raise TypeError("no item of a state dict")
            into[key] = value


def _called(function: object, arguments: object) -> object:
    is_dict = function == "collections OrderedDict" and arguments == ()
    return {} if is_dict else Call(function, arguments)
