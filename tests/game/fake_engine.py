"""A GTP or NBoard engine: `fake_engine.py MODE [FILE]` or `fake_engine.py nboard-MODE [FILE]`.

The mode says how the engine misbehaves. The process id goes to FILE.
"""

import os
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.game.reference import Reference

NBOARD = sys.argv[1].startswith("nboard-")
MODE = sys.argv[1].removeprefix("nboard-")
ANSWERS = {
    "rubbish": "Segmentation fault",
    "no-move": "= whatever",
    "illegal": "= a1",
    "passes": "= PASS",
    "resigns": "= resign",
    "slow-start": "= D3",
}
SIDES = {"black": "X", "white": "O"}


class Game:
    """A game with its own rules, so that it starts fast and shares no fault with the tested code."""

    def __init__(self, position: Reference) -> None:
        self.position, self.plies = position, 0

    @property
    def squares(self) -> list[int]:
        return self.position.legal(self.position.turn)

    def play(self, text: str) -> bool:
        square = None if text.lower() in ("pass", "pa") else self.square(text)
        legal: list[int] | list[None] = self.squares or [None] * (not self.position.is_over)
        if square in legal:
            self.position.play(square)
            self.plies += 1
        return square in legal

    def pass_if_forced(self) -> None:
        if not self.squares:
            self.play("pass")

    def square(self, name: str) -> int:
        return ord(name[0].lower()) - ord("a") + self.position.size * (int(name[1:]) - 1)

    def name(self, square: int) -> str:
        return f"{chr(ord('A') + square % self.position.size)}{square // self.position.size + 1}"


def set_up(text: str) -> Game:
    found = re.search(r"BO\[([0-9]+) ([-*O ]+) ([*O])\]", text)
    assert found
    size, cells = int(found[1]), found[2].replace(" ", "").replace("*", "X")
    grid = [list(cells[row * size : (row + 1) * size]) for row in range(size)]
    return Game(Reference(grid, found[3].replace("*", "X")))


def main() -> None:
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(str(os.getpid()), "utf-8")
    if MODE == "slow-start":
        time.sleep(1.5)
    if MODE == "stderr":
        sys.stderr.write("thinking very hard\n" * 50_000)
    if MODE == "banner":
        print("Welcome to FAKE 1.0\n\n=========\n(c) nobody\n")
    if NBOARD:
        speak_nboard()
    else:
        speak_gtp()


def speak_gtp() -> None:
    game = Game(Reference.start(8))
    for line in sys.stdin:
        word, *arguments = line.split()
        if word == "boardsize":
            game = Game(Reference.start(int(arguments[0])))
            answer = "? unacceptable size" if MODE == "size" else "="
        elif word == "clear_board":
            game = Game(Reference.start(game.position.size))
            answer = "="
        elif word == "play":
            answer = hear(game, *arguments)
        elif word == "genmove":
            answer = move(game, arguments[0])
        elif word == "name":
            answer = "= fake"
        elif MODE == "ignores":
            continue
        else:
            answer = "? unknown command"
        say(f"{answer}\n")


def speak_nboard() -> None:
    game = Game(Reference.start(8))
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "ping":
            say(f"pong {rest}")
        elif line.startswith("set game"):
            game = set_up(rest)
        elif word == "move":
            game.play(rest)
        elif word == "go":
            say(f"status thinking\nsearch D3 0 0 1\n{go(game)}\nstatus")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def hear(game: Game, colour: str, text: str) -> str:
    if text == "pass" and MODE == "implicit":
        return "? syntax error"
    if MODE == "implicit":
        game.pass_if_forced()
    is_legal = game.position.turn == SIDES[colour] and game.play(text)
    return "=" if is_legal else "? illegal move"


def misbehave() -> None:
    match MODE:
        case "dies":
            sys.exit("out of memory, out of luck")
        case "hangs":
            time.sleep(3600)
        case "floods":
            while True:
                print("= d3")
        case "closes":
            os.close(1)
            time.sleep(3600)


def move(game: Game, colour: str) -> str:
    misbehave()
    if MODE in ANSWERS:
        return ANSWERS[MODE]
    if MODE == "implicit":
        game.pass_if_forced()
    if game.position.turn != SIDES[colour]:
        return "? not my turn"
    name = game.name(game.squares[0])
    game.play(name)
    return f"= {name}"


def go(game: Game) -> str:
    misbehave()
    if MODE in ANSWERS:
        return ANSWERS[MODE].replace("= ", "=== ").replace("PASS", "PA")
    name = game.name(game.squares[0])
    return (f"=== {name}", f"=== {name}/1.5/0.2", f"=== {name} 12.00 0.1")[game.plies // 2 % 3]


main()
