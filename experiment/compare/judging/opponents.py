"""The usual opponents of `othello evaluate`: players of different kinds, since one opponent is no scale."""

from collections.abc import Mapping

OPPONENTS: Mapping[str, str] = {
    "random": "random",
    "corner-greedy": "corner-greedy",
    "weights:swh": "weights:swh",
    "weights:heur": "weights:heur",
    "weights:bench": "weights:bench",
    "positional": "positional",
    "positional 4-ply": "alphabeta:depth=4,eval=positional",
    "mobility 4-ply": "alphabeta:depth=4,eval=mobility",
}
"""What they are called, and their registry texts; they play on every board."""
