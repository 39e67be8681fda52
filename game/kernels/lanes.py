"""Four words side by side in one register of the processor, for compiled code: a word for each direction.

`&`, `|`, `~`, `+`, `-`, `<<` and `>>` work on all four at once, with one instruction where the processor has
it (AVX2, two of NEON) and with several where not. numba has no such type, and does not find the four itself.
"""

import operator
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model
from numpy.typing import NDArray

from othello_lab.game.kernels.bits import Integer
from othello_lab.game.kernels.jit import overloads

# Compiled code only.
Lanes = Any
_WORD, _PLACE = ir.IntType(64), ir.IntType(32)
_VECTOR = ir.VectorType(_WORD, 4)


class _LanesType(types.Type):
    """numba's name for the four words."""

    def __init__(self) -> None:
        super().__init__("Lanes")


LANES = _LanesType()


@register_model(_LanesType)
class _Model(models.PrimitiveModel):
    """They are a vector of LLVM."""

    def __init__(self, manager: Any, kind: Any) -> None:  # noqa: ANN401  numba's own types
        super().__init__(manager, kind, _VECTOR)  # type: ignore[no-untyped-call]  # numba types only parts


@intrinsic
def _four(typing_context: Any, a: Any, b: Any, c: Any, d: Any) -> Any:  # noqa: ANN401  numba's own types
    """Put four words side by side."""

    def generate(context: Any, builder: Any, signature: Any, words: Any) -> Any:  # noqa: ANN401  numba's
        lanes = ir.Constant(_VECTOR, ir.Undefined)
        for place, word in enumerate(words):
            lanes = builder.insert_element(lanes, word, ir.Constant(_PLACE, place))
        return lanes

    return LANES(*(types.uint64,) * 4), generate


@intrinsic
def _row(typing_context: Any, table: Any, number: Any) -> Any:  # noqa: ANN401  numba's own types
    """Fetch a row of four words from a table, uint64 [..., 4], whose rows are numbered from 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401  numba's
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        start = builder.gep(array.data, [builder.mul(arguments[1], ir.Constant(_WORD, 4))])
        return builder.load(builder.bitcast(start, _VECTOR.as_pointer()), align=8)

    return LANES(table, types.int64), generate


@intrinsic
def _leading_zeros(typing_context: Any, lanes: Any) -> Any:  # noqa: ANN401  numba's own types
    """Count the zeros above the highest bit of each word; none may be 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401  numba's
        return _call(builder, "llvm.ctlz.v4i64", _VECTOR, *arguments, ir.Constant(ir.IntType(1), 1))

    return LANES(LANES), generate


@intrinsic
def _together(typing_context: Any, lanes: Any) -> Any:  # noqa: ANN401  numba's own types
    """Return what is in any of the words."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401  numba's
        return _call(builder, "llvm.vector.reduce.or.v4i64", _WORD, *arguments)

    return types.uint64(LANES), generate


@intrinsic
def _flags(typing_context: Any, lanes: Any) -> Any:  # noqa: ANN401  numba's own types
    """Return 1 for each word that is not 0, else 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401  numba's
        return builder.zext(builder.icmp_unsigned("!=", arguments[0], ir.Constant(_VECTOR, [0] * 4)), _VECTOR)

    return LANES(LANES), generate


def _call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:  # noqa: ANN401  LLVM's own types
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    return builder.call(function, arguments)


def _give(sign: Any, instruction: str) -> None:  # noqa: ANN401  a function of `operator`
    """Have an operator do what an instruction of LLVM does with two vectors."""

    @intrinsic
    def both(typing_context: Any, a: Any, b: Any) -> Any:  # noqa: ANN401  numba's own types
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401
            return getattr(builder, instruction)(*arguments)

        return LANES(LANES, LANES), generate

    do = cast(Any, both)

    @overloads(sign)
    def _operator(a: Lanes, b: Lanes) -> object:
        # numba wants a function of Python's here.
        return (lambda a, b: do(a, b)) if a == LANES and b == LANES else None  # noqa: PLW0108


@intrinsic
def _inverse(typing_context: Any, lanes: Any) -> Any:  # noqa: ANN401  numba's own types
    """Return what is in none of the words."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401  numba's
        return builder.not_(arguments[0])

    return LANES(LANES), generate


for _sign, _instruction in {
    operator.and_: "and_",
    operator.or_: "or_",
    operator.add: "add",
    operator.sub: "sub",
    operator.lshift: "shl",
    operator.rshift: "lshr",
}.items():
    _give(_sign, _instruction)

# numba supplies the typing context itself: to a caller these take words and lanes.
four: Callable[[Integer, Integer, Integer, Integer], Lanes] = cast(Any, _four)
row: Callable[[NDArray[np.uint64], int], Lanes] = cast(Any, _row)
flags: Callable[[Lanes], Lanes] = cast(Any, _flags)
together: Callable[[Lanes], Integer] = cast(Any, _together)
leading_zeros: Callable[[Lanes], Lanes] = cast(Any, _leading_zeros)
inverse: Callable[[Lanes], Lanes] = cast(Any, _inverse)


@overloads(operator.invert)
def _invert(lanes: Lanes) -> object:
    return (lambda lanes: inverse(lanes)) if lanes == LANES else None  # noqa: PLW0108  likewise
