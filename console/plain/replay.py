"""A recorded game, a board after another, in lines of text."""

from console.plain.terminal import Terminal
from game import PASS, Game
from game.notation import square_name

HELP = "Enter: on, b: back, a number: to that move, q: leave"


class Replay:
    """Steps through a game as whoever looks at it says."""

    def __init__(self, game: Game, terminal: Terminal) -> None:
        self._game = game
        self._terminal = terminal
        self._ply = 0

    def play(self) -> None:
        """Show positions until the one who looks leaves, or input ends."""
        self._terminal.say(HELP)
        self._show()
        while True:
            try:
                word = self._terminal.ask(f"move {self._ply} of {len(self._game.moves)}: ").strip().lower()
            except EOFError:
                return
            if word in ("q", "quit"):
                return
            self._go(word)

    def play_whole(self) -> None:
        """Show every position."""
        for ply in range(len(self._game.boards)):
            self._ply = ply
            self._show()

    def _go(self, word: str) -> None:
        ply = self._target(word)
        if ply is None:
            self._terminal.complain(f"{word[:20]!r}? {HELP}")
        elif not 0 <= ply <= len(self._game.moves):
            self._terminal.say("That is the start." if ply < 0 else "That was the last move.")
        else:
            self._ply = ply
            self._show()

    def _target(self, word: str) -> int | None:
        """Return the ply that is asked for, which may be none of the game; None for a word that says none."""
        if word in ("", "n"):
            return self._ply + 1
        if word == "b":
            return self._ply - 1
        return int(word) if word.isascii() and word.isdigit() and len(word) < 5 else None

    def _show(self) -> None:
        so_far = self._game.until(self._ply)
        self._terminal.show(so_far, legal=True)
        black, white = so_far.board.counts()
        self._terminal.say(f"{_what(so_far)}   black {black}, white {white}")


def _what(game: Game) -> str:
    """Return the last move and whose turn it is."""
    now = "the game is over" if game.board.is_over else f"{game.board.turn.value} to move"
    if not game.moves:
        return f"the start: {now}"
    mover, move = game.board.turn.other.value, game.moves[-1]
    done = "passes" if move == PASS else square_name(move, game.size)
    return f"{len(game.moves)}. {mover} {done}: {now}"
