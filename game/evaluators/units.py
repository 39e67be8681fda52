"""Units of values, in words that people read: what a number says about a position."""

POINTS = "points of its evaluation"
EXPECTED_RETURN = "expected return: 1 a won game, -1 a lost one"
EXPECTED_RESULT = "expected result: 1 won, 0 drawn, -1 lost"
"""Between -1 and 1, so it can be shown as a chance."""
DISCS_EACH = 16.0
EXPECTED_DISCS = f"expected result, by discs at the end: tanh(discs / {DISCS_EACH:.0f})"
"""Between -1 and 1 too, from an evaluation that was fitted to disc differences."""
CHANCES = EXPECTED_RESULT, EXPECTED_DISCS
"""Units that say how likely a win is, and by how many discs."""
DISCS = "discs at the end, exactly"
ESTIMATE = "discs at the end, estimated"
WON = 1e9
"""A search's value of a won game: larger than any evaluation."""
LARGEST_WEIGHT = 1e6
"""Largest absolute weight of an evaluation."""
CERTAIN = 1e8
"""A search's value beyond this, or below its negative, is that of a game known to be won or lost."""
