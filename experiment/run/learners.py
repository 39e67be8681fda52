"""The names of the learners that are installed: what they are stands in packages that no one here imports."""

from importlib.metadata import entry_points

TRAINED = "trained"
"""The player that a checkpoint of any of them is: `trained:PATH`."""


def learner_names() -> set[str]:
    """Return the names that they are announced by, in the entry-point group `othello.learners`."""
    return {entry.name for entry in entry_points(group="othello.learners")}
