"""Typed wrappers of numba's decorators, and a vector type. Compiled functions are cached on disk."""

import hashlib
import operator
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model
from numpy.typing import NDArray

from othello_lab.game.errors import FailedError

if vars(numba.config)["DISABLE_JIT"]:
    raise FailedError("NUMBA_DISABLE_JIT is set, but the rules exist only as compiled code: unset it")

Function = TypeVar("Function", bound=Callable[..., Any])


def _cache_directory() -> Path:
    """Return the cache directory, whose name has a hash of the source code of all compiled functions."""
    # numba's own cache checks the file of a function, but not the files of the functions that it calls.
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for source in sorted(package.rglob("*.py")):
        text = source.read_bytes()
        if b"game.kernels.jit" in text or source == Path(__file__):
            digest.update(text)
    return cache_place(package) / f"kernels-{digest.hexdigest()[:12]}"


def cache_place(package: Path) -> Path:
    """Return NUMBA_CACHE_DIR, else a folder in the package, or in the user cache for a read-only package."""
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(named)
    if os.access(package, os.W_OK):
        return package / "__pycache__"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "othello-lab"


CACHE = _cache_directory()
vars(numba.config)["CACHE_DIR"] = str(CACHE)


# Without `no_cfunc_wrapper`, numba would compile a second entry for each function, for callers in C.
_OPTIONS: Any = {"cache": True, "nogil": True, "no_cfunc_wrapper": True}
# Functions that only compiled code calls need no entry for callers in Python either.
_NO_ENTRY: Any = {"no_cfunc_wrapper": True, "no_cpython_wrapper": True}
_HELPER: Any = {**_OPTIONS, **_NO_ENTRY}


def compiled(function: Function) -> Function:
    """Return a compiled `function`. The first call with new argument types takes longer."""
    return cast(Function, numba.njit(**_OPTIONS)(function))


def compiled_helper(function: Function) -> Function:
    """Return a compiled `function` for calls from compiled code. A call from Python ends the process."""
    return cast(Function, numba.njit(**_HELPER)(function))


def compiled_for(function: Function, argument_types: str) -> Callable[[], Function]:
    """Return a callable without arguments that returns `function`, compiled once for `argument_types`."""
    # Python integers then need no conversion, which halves the time of a short call.
    return cache(lambda: cast(Function, numba.njit(argument_types, **_OPTIONS)(function)))


def inlined(function: Function) -> Function:
    """Return a helper that is inlined into its compiled callers, so that loops can be vectorised."""
    return cast(Function, numba.njit(**_HELPER, forceinline=True)(function))


def overloads(generic: Callable[..., Any], inlined: bool = False) -> Callable[[Function], Function]:
    """Return a decorator that registers an overload of `generic` for some numba types of arguments."""
    # strict=False, because numba compares signatures with their annotations, and a lambda has none.
    options: Any = {**_NO_ENTRY, "forceinline": inlined}  # numba does not export the type
    return cast(Callable[[Function], Function], overload(generic, jit_options=options, strict=False))


def by_builder(
    result: Any,  # noqa: ANN401  numba's own types
    argument: Any,  # noqa: ANN401
    build: Callable[[Any, Any], Any],
) -> Callable[[Any], Any]:
    """Return an intrinsic for compiled code. The callback `build(builder, value)` generates the LLVM code."""

    @intrinsic
    def function(typing_context: Any, value: Any) -> Any:  # noqa: ANN401  numba's own types
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401
            return build(builder, arguments[0])

        return result(argument), generate

    # numba supplies the typing context itself, so a caller passes only one value.
    return cast(Callable[[Any], Any], function)


_WORD = ir.IntType(64)
# Count the 1 bits of a 64-bit word with one processor instruction.
popcount = by_builder(types.uint64, types.uint64, lambda builder, word: builder.ctpop(word))
# Return the index of the lowest 1 bit of a non-zero 64-bit word with one processor instruction.
trailing_zeros = by_builder(
    types.uint64, types.uint64, lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 0))
)
# Convert an address from an integer to a pointer.
at_address = by_builder(
    types.voidptr, types.int64, lambda builder, number: builder.inttoptr(number, ir.IntType(8).as_pointer())
)


@intrinsic
def _scratch(typing_context: Any) -> Any:  # noqa: ANN401  numba's own types
    """Return a pointer to 256 bytes on the caller's stack, which are valid until the caller returns."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401  numba's
        with builder.goto_entry_block():
            buffer = builder.alloca(_WORD, 32)
        return builder.bitcast(buffer, ir.IntType(8).as_pointer())

    return types.voidptr(), generate


scratch: Callable[[], Any] = cast(Callable[[], Any], _scratch)
# Return an array at `at_address` or `scratch`. Compiled code calls array_at(pointer, shape, dtype).
array_at: Callable[..., Any] = vars(numba)["carray"]


Lanes = Any  # A vector of four words, only in compiled code.
_PLACE = ir.IntType(32)
_VECTOR = ir.VectorType(_WORD, 4)


class _LanesType(types.Type):
    def __init__(self) -> None:
        super().__init__("Lanes")


LANES = _LanesType()


@register_model(_LanesType)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:  # noqa: ANN401  numba's own types
        super().__init__(manager, kind, _VECTOR)  # type: ignore[no-untyped-call]  # numba types only parts


@intrinsic
def _four(typing_context: Any, a: Any, b: Any, c: Any, d: Any) -> Any:  # noqa: ANN401  numba's own types
    def generate(context: Any, builder: Any, signature: Any, words: Any) -> Any:  # noqa: ANN401  numba's
        lanes = ir.Constant(_VECTOR, ir.Undefined)
        for place, word in enumerate(words):
            lanes = builder.insert_element(lanes, word, ir.Constant(_PLACE, place))
        return lanes

    return LANES(*(types.uint64,) * 4), generate


@intrinsic
def _row(typing_context: Any, table: Any, number: Any) -> Any:  # noqa: ANN401  numba's own types
    """Return row `number` of a table, uint64 [..., 4], as `Lanes`. `number` indexes the flat rows."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401  numba's
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        start = builder.gep(array.data, [builder.mul(arguments[1], ir.Constant(_WORD, 4))])
        return builder.load(builder.bitcast(start, _VECTOR.as_pointer()), align=8)

    return LANES(table, types.int64), generate


def _call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:  # noqa: ANN401  LLVM's own types
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    return builder.call(function, arguments)


def _define(sign: Any, instruction: str) -> None:  # noqa: ANN401  a function of `operator`
    """Compile an operator between two `Lanes` to an instruction of LLVM."""

    @intrinsic
    def both(typing_context: Any, a: Any, b: Any) -> Any:  # noqa: ANN401  numba's own types
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401
            return getattr(builder, instruction)(*arguments)

        return LANES(LANES, LANES), generate

    do = cast(Any, both)

    @overloads(sign)
    def _operator(a: Lanes, b: Lanes) -> object:
        # numba accepts only a Python function here.
        return (lambda a, b: do(a, b)) if a == LANES and b == LANES else None  # noqa: PLW0108


for _sign, _instruction in {
    operator.and_: "and_",
    operator.or_: "or_",
    operator.add: "add",
    operator.sub: "sub",
    operator.lshift: "shl",
    operator.rshift: "lshr",
}.items():
    _define(_sign, _instruction)

# numba supplies the typing context itself, so a caller does not pass it.
four: Callable[[Any, Any, Any, Any], Lanes] = cast(Any, _four)
row: Callable[[NDArray[np.uint64], int], Lanes] = cast(Any, _row)
# Replace each word that is not 0 by 1.
flags = by_builder(
    LANES,
    LANES,
    lambda builder, lanes: builder.zext(
        builder.icmp_unsigned("!=", lanes, ir.Constant(_VECTOR, [0] * 4)), _VECTOR
    ),
)
# Return the bitwise OR of the four words.
together = by_builder(
    types.uint64, LANES, lambda builder, lanes: _call(builder, "llvm.vector.reduce.or.v4i64", _WORD, lanes)
)
# Count the zeros above the highest 1 bit of each word. No word may be 0.
leading_zeros = by_builder(
    LANES,
    LANES,
    lambda builder, lanes: _call(builder, "llvm.ctlz.v4i64", _VECTOR, lanes, ir.Constant(ir.IntType(1), 1)),
)
