"""A GTP program for the tests, or an NBoard one: `fake_engine.py MODE [FILE]` or `fake_engine.py nboard-MODE
[FILE]`. The mode says how it misbehaves; its process id goes into FILE.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

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
FOLLOWS = MODE not in {"dies", "hangs", "floods", "closes", *ANSWERS}
"""Whether it follows the game. A program that only fails need not: it starts five times as fast."""
if FOLLOWS:
    from othello_lab.game import PASS, Board, Game, IllegalMoveError
    from othello_lab.game.notation import parse_square, square_name
    from othello_lab.game.records import ggf


def main() -> None:
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(str(os.getpid()), "utf-8")
    if MODE == "slow-start":
        time.sleep(1.5)
    if MODE == "stderr":
        sys.stderr.write("thinking very hard\n" * 50_000)
    if MODE == "banner":
        print("Welcome to FAKE 1.0\n\n=========\n(c) nobody\n")
    if not FOLLOWS:
        fail()
    elif NBOARD:
        speak_nboard()
    else:
        speak_gtp()


def fail() -> None:
    """Speak either protocol as far as is needed to fail at the first move."""
    answers = {"boardsize": "=\n", "clear_board": "=\n", "play": "=\n", "name": "= fake\n"}
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word in ("genmove", "go"):
            misbehave()
            answer = ANSWERS[MODE]
            turned = answer.replace("= ", "=== ").replace("PASS", "PA")
            say(f"status thinking\n{turned}\nstatus" if NBOARD else f"{answer}\n")
        elif NBOARD and word == "ping":
            say(f"pong {rest}")
        elif not NBOARD:
            say(answers.get(word, "? unknown command\n"))


def speak_gtp() -> None:
    game = Game(Board.start(8))
    for line in sys.stdin:
        word, *arguments = line.split()
        if word == "boardsize":
            game = Game(Board.start(int(arguments[0])))
            answer = "? unacceptable size" if MODE == "size" else "="
        elif word == "clear_board":
            game = Game(Board.start(game.size))
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
    game = Game(Board.start(8))
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "ping":
            say(f"pong {rest}")
        elif line.startswith("set game"):
            game = ggf.load(rest.removeprefix("game").encode())[0].game
        elif word == "move":
            game.play(PASS if rest == "PA" else parse_square(rest, game.size))
        elif word == "go":
            said = "randomness is good\n" if MODE == "randomness" else ""
            say(f"status thinking\nsearch D3 0 0 1\n{said}{go(game)}\nstatus")
        elif word == "hint":
            say(hints(game))


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def hear(game: Game, colour: str, text: str) -> str:
    if text == "pass" and MODE == "implicit":
        return "? syntax error"
    if MODE == "implicit":
        game.pass_if_forced()
    try:
        assert game.board.turn.value == colour
        game.play(PASS if text == "pass" else parse_square(text, game.size))
    except (AssertionError, IllegalMoveError):
        return "? illegal move"
    return "="


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
    if MODE == "implicit":
        game.pass_if_forced()
    if game.board.turn.value != colour:
        return "? not my turn"
    chosen = next(iter(game.board.legal_moves))
    game.play(chosen)
    return f"= {square_name(chosen, game.size).upper()}"


def go(game: Game) -> str:
    """Answer with the first legal move, each time in another form that programs use."""
    name = square_name(next(iter(game.board.legal_moves)), game.size).upper()
    return (f"=== {name}", f"=== {name}/1.5/0.2", f"=== {name} 12.00 0.1")[len(game.moves) // 2 % 3]


def hints(game: Game) -> str:
    """Value each legal square by its number: twice, better the second time."""
    squares = list(game.board.legal_moves)[: 1 if MODE == "one-hint" else None]
    names = [square_name(square, game.size).upper() for square in squares]
    lines = [f"search {name} -9 0 1" for name in names]
    if MODE == "book":
        lines += [
            f"book {name}c3 {square},{square + 1} 10 12" for name, square in zip(names, squares, strict=True)
        ]
    else:
        lines += [f"search {name}-c3 {square}.5 0 100%" for name, square in zip(names, squares, strict=True)]
    return "\n".join(["status Analyzing", *lines, *([] if MODE == "endless" else ["status"])])


main()
