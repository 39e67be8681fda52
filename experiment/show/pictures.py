"""Pictures as files: a PNG, or an SVG whose text is text and whose bytes are the same each time."""

from io import StringIO
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from game.printable import printable

SUFFIXES = (".png", ".svg")
"""What the file name of a picture can end with."""
_DOTS_PER_INCH = 130


def check_suffix(path: Path) -> None:
    """Raise ValueError for a file name that is no picture's."""
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{path}: the name of a picture must end with {' or '.join(SUFFIXES)}")


def save(figure: Figure, path: Path) -> None:
    """Write a picture of the kind that its file name says; raises ValueError for another, and OSError."""
    check_suffix(path)
    if path.suffix.lower() == ".svg":
        path.write_bytes(as_svg(figure))
    else:
        figure.savefig(path, dpi=_DOTS_PER_INCH, format="png")


def save_both(figure: Figure, path: Path) -> Path:
    """Write a picture as PNG and as SVG beside it, whichever the path names; return the PNG's.

    Makes the folder. Raises ValueError for a file name that is no picture's, and OSError.
    """
    check_suffix(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    for suffix in SUFFIXES:
        save(figure, path.with_suffix(suffix))
    return path.with_suffix(".png")


def as_svg(figure: Figure) -> bytes:
    """Return a picture as SVG, UTF-8; it says no time, so that the same picture is the same bytes."""
    stream = StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "othello"}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return printable(stream.getvalue()).encode()
