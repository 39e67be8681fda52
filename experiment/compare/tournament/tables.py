"""Matrices of a tournament as lines of text: players by their numbers, in as many blocks as are needed."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from experiment.compare.ratings.pairs import Numbers
from rlglue.messages import shortened

_SHORTEST_NAME, _LONGEST_NAME = 14, 34


class Form(NamedTuple):
    """How the numbers of a matrix are written."""

    write: Callable[[float], str]
    width: int


def share(digits: int) -> Form:
    """Return the form of a share, such as .95 or 1.00."""
    return Form(lambda value: f"{value:.{digits}f}".removeprefix("0"), digits + 2)


def signed(digits: int) -> Form:
    """Return the form of a difference of discs, such as +12.5."""
    return Form(lambda value: f"{value:+.{digits}f}", 3 + (digits + 1 if digits else 0))


COUNT = Form(lambda value: f"{value:.0f}", 4)


def forms(players: int, width: int) -> tuple[Form, Form]:
    """Return those of shares and differences: with one digit more where a line of `width` has room for it."""
    long = share(3), signed(1)
    needed = 4 + _SHORTEST_NAME + players * (max(form.width for form in long) + 1)
    return long if needed <= width else (share(2), signed(0))


def lines(title: str, numbers: Numbers, names: Sequence[str], form: Form, width: int) -> Iterator[str]:
    """Yield a matrix [P, P], its rows and columns numbered from 1; what is nan and the diagonal is a dot."""
    yield title
    count = len(names)
    longest = min(_LONGEST_NAME, max(map(len, names)))
    at_once = max(1, min(count, (width - 4 - _SHORTEST_NAME) // (form.width + 1)))
    name_width = max(_SHORTEST_NAME, min(longest, width - 4 - at_once * (form.width + 1)))
    for begin in range(0, count, at_once):
        places = range(begin, min(begin + at_once, count))
        yield " " * (name_width + 4) + "".join(f"{place + 1:{form.width + 1}}" for place in places)
        for row, name in enumerate(names):
            cells = "".join(f"{cell(numbers, row, place, form):>{form.width + 1}}" for place in places)
            yield f"{row + 1:3} {shortened(name, name_width):{name_width}}{cells}"


def cell(numbers: Numbers, row: int, column: int, form: Form) -> str:
    """Return what stands in a matrix: a dot on the diagonal and where there is nothing."""
    value = numbers[row, column]
    return "·" if row == column or np.isnan(value) else form.write(float(value))
