"""Opponents of evaluations, and their names."""

FROM_OPENINGS = " (openings)"
"""Added to the opponent's name where the games began from the openings."""
SELF = "self"
"""What an environment calls its opponent where the agent plays both sides."""
STAND_IN = "corner-greedy"
"""Who an agent that learns against itself is evaluated against first."""
HELD_OUT = ("random", "positional", "weights:swh")
"""Players of the last evaluation only: an agent that trains against another has never met them."""


def against(opponent: str) -> str:
    """Return the end of a sentence, such as ` against greedy`; "" for an opponent without a name."""
    return f" against {opponent}" if opponent else ""
