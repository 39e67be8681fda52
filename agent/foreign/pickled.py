"""A pickle read as a description: which names it calls with which values, without calling any of them.

`pickletools` splits the bytes into opcodes; those that `torch.save` writes for a state dict are known here.
"""

import pickletools
from typing import Final, NamedTuple

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
