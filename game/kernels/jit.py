"""The one door to numba, so that the rest of the package stays typed.

A compiled function is cached on disk, so that a machine compiles it once.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from othello_lab.game.errors import FailedError

if vars(numba.config)["DISABLE_JIT"]:
    raise FailedError("NUMBA_DISABLE_JIT is set, but the rules exist only as compiled code: unset it")

Function = TypeVar("Function", bound=Callable[..., Any])


def _cache_directory() -> Path:
    """Name a cache directory by the text of all kernels.

    numba compares only the file of the function itself with its cache. A kernel whose callee changed in
    another file would run its old code; under a new name there is nothing old to find.
    """
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for source in sorted(package.rglob("*.py")):
        text = source.read_bytes()
        if b"game.kernels.jit" in text or source == Path(__file__):
            digest.update(text)
    return cache_place(package) / f"kernels-{digest.hexdigest()[:12]}"


def cache_place(package: Path) -> Path:
    """Return where compiled code goes: beside the package, or to the user's own if that is read-only."""
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(named)
    if os.access(package, os.W_OK):
        return package / "__pycache__"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "othello-lab"


CACHE = _cache_directory()
vars(numba.config)["CACHE_DIR"] = str(CACHE)


def compiled(function: Function) -> Function:
    """Return `function` compiled to machine code for the argument types of its first call."""
    return cast(Function, numba.njit(cache=True, nogil=True)(function))


def compiled_for(function: Function, argument_types: str) -> Function:
    """Return `function` compiled at once, and for these types alone.

    Python's integers are then taken as they are, which halves the time of a short call.
    """
    return cast(Function, numba.njit(argument_types, cache=True, nogil=True)(function))


def inlined(function: Function) -> Function:
    """Return `function` compiled as a part of its callers: a loop that calls it can then be vectorised."""
    return cast(Function, numba.njit(cache=True, nogil=True, forceinline=True)(function))


def overloads(generic: Callable[..., Any], inlined: bool = False) -> Callable[[Function], Function]:
    """Register what compiled code does for `generic`, chosen by the numba types of its arguments."""
    # Not strict: numba compares signatures with their annotations, and a lambda has none.
    options: Any = {"forceinline": inlined}  # numba keeps the type to itself
    return cast(Callable[[Function], Function], overload(generic, jit_options=options, strict=False))


@intrinsic
def _popcount(typing_context: Any, word: Any) -> Any:  # noqa: ANN401  numba's own types
    """Count the bits of a 64-bit word; the processor's own instruction."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401  numba's
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def _trailing_zeros(typing_context: Any, word: Any) -> Any:  # noqa: ANN401  numba's own types
    """Index of the lowest bit of a 64-bit word that is not 0; the processor's own instruction."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401  numba's
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


@intrinsic
def _float_bits(typing_context: Any, value: Any) -> Any:  # noqa: ANN401  numba's own types
    """Return the 64 bits of a float64 as a word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401  numba's
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.uint64(types.float64), generate


@intrinsic
def _at_address(typing_context: Any, address: Any) -> Any:  # noqa: ANN401  numba's own types
    """Turn a number into the pointer that it is."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401  numba's
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), generate


@intrinsic
def _scratch(typing_context: Any) -> Any:  # noqa: ANN401  numba's own types
    """Take 256 bytes of the calling function's stack, which last until it returns."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401  numba's
        with builder.goto_entry_block():
            buffer = builder.alloca(ir.IntType(64), 32)
        return builder.bitcast(buffer, ir.IntType(8).as_pointer())

    return types.voidptr(), generate


# numba supplies the typing context itself: to a caller these take one word.
popcount: Callable[[Any], Any] = cast(Callable[[Any], Any], _popcount)
trailing_zeros: Callable[[Any], Any] = cast(Callable[[Any], Any], _trailing_zeros)
float_bits: Callable[[Any], Any] = cast(Callable[[Any], Any], _float_bits)
at_address: Callable[[Any], Any] = cast(Callable[[Any], Any], _at_address)
scratch: Callable[[], Any] = cast(Callable[[], Any], _scratch)
array_at: Callable[..., Any] = vars(numba)["carray"]
"""An array over memory that `at_address` or `scratch` gave: pointer, shape, dtype. Compiled code only."""
