"""The page of all keys and words."""

from console.entry import help_text

_KEYS = """\
Play
  arrows, Enter, Space   move to a square and place a disc there
  mouse                  click a square
  d3 Enter               type a square, or a word of those below
  F9                     resign
Look
  F3                     what each legal move is worth, the best marked
  F4                     the same in every position; colours from blue, the worst, to yellow, the best
  PageUp, PageDown       the position before, after
  Home, End              the start, the last position
  Tab, then arrows       the list of moves; Enter or a click goes there
Change
  Ctrl+Z, Backspace      take back to your decision before
  Ctrl+Y                 make it again
  Ctrl+G                 play on from the position that is looked at
  F2                     new game, other players, another adviser
  F7, F8                 save, load
  F10, Ctrl+C            leave
On the board a large dot marks the last move and small ones the discs that it turned;
where squares are one line high: [ ] and ( ). A light dot or + is a legal move.

Words
"""

HELP = _KEYS + "\n".join(f"  {line}" for line in help_text().splitlines()[:-1])
