"""Texts of strangers, such as names in files: without what a terminal obeys and no XML or UTF-8 holds."""

import re
from typing import Final

_ODD: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def printable(text: str) -> str:
    """Return a text with a replacement character for each control character but tab and new line, and for
    each that is no character at all.
    """
    return _ODD.sub("\ufffd", text)
