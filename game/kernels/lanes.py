"""A type for compiled code with four 64-bit words in one register of the processor."""

import operator
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model
from numpy.typing import NDArray

from othello_lab.game.kernels.bits import Integer
from othello_lab.game.kernels.jit import by_builder, overloads

# This type exists only in compiled code.
Lanes = Any
_WORD, _PLACE = ir.IntType(64), ir.IntType(32)
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
    """Return row `number` of a table, uint64 [..., 4], as `Lanes`. All rows have one numbering from 0."""

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
four: Callable[[Integer, Integer, Integer, Integer], Lanes] = cast(Any, _four)
row: Callable[[NDArray[np.uint64], int], Lanes] = cast(Any, _row)
flags = by_builder(
    LANES,
    LANES,
    lambda builder, lanes: builder.zext(
        builder.icmp_unsigned("!=", lanes, ir.Constant(_VECTOR, [0] * 4)), _VECTOR
    ),
)
"""Replace each word that is not 0 by 1."""
together = by_builder(
    types.uint64, LANES, lambda builder, lanes: _call(builder, "llvm.vector.reduce.or.v4i64", _WORD, lanes)
)
"""Return the union of the four words."""
leading_zeros = by_builder(
    LANES,
    LANES,
    lambda builder, lanes: _call(builder, "llvm.ctlz.v4i64", _VECTOR, lanes, ir.Constant(ir.IntType(1), 1)),
)
"""Count the zeros above the highest 1 bit of each word. No word may be 0."""
inverse = by_builder(LANES, LANES, lambda builder, lanes: builder.not_(lanes))


@overloads(operator.invert)
def _invert(lanes: Lanes) -> object:
    return (lambda lanes: inverse(lanes)) if lanes == LANES else None  # noqa: PLW0108  likewise
