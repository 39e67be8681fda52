"""The abilities of the terminal at the other end."""

import os
import sys
from io import TextIOWrapper


def keep_to_ascii() -> None:
    """Write nothing but ASCII to a terminal whose locale is C by name, where Python itself would write UTF-8.

    Where no locale is named at all, as in containers, terminals understand UTF-8.
    """
    named = os.environ.get("LC_ALL") or os.environ.get("LANG")
    if named in ("C", "POSIX") and sys.flags.utf8_mode and "PYTHONUTF8" not in os.environ:
        for stream in (sys.stdout, sys.stderr):
            if stream.isatty() and isinstance(stream, TextIOWrapper):
                stream.reconfigure(encoding="ascii", errors="backslashreplace")


def has_screen() -> bool:
    """Tell whether there is a terminal that the full-screen program can draw on."""
    if in_browser():
        return True
    # It reads stdin and draws on stderr.
    streams = sys.stdin, sys.stdout, sys.stderr
    return os.environ.get("TERM") not in ("dumb", "unknown") and all(stream.isatty() for stream in streams)


def in_browser() -> bool:
    """Tell whether a browser shows the screen: then whatever is printed would come between."""
    return "TEXTUAL_DRIVER" in os.environ
