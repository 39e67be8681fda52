"""A GTP program for the tests: `fake_engine.py MODE [FILE]`. The mode says how it misbehaves; its process id
goes into FILE.
"""

import os
import sys
import time
from pathlib import Path

from game import PASS, Board, Game, IllegalMoveError
from game.notation import parse_square, square_name

MODE = sys.argv[1]
ANSWERS = {
    "rubbish": "Segmentation fault",
    "no-move": "= whatever",
    "illegal": "= a1",
    "passes": "= PASS",
    "resigns": "= resign",
}


def main() -> None:
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(str(os.getpid()), "utf-8")
    if MODE == "slow-start":
        time.sleep(1.5)
    if MODE == "stderr":
        sys.stderr.write("thinking very hard\n" * 50_000)
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
        else:
            answer = "? unknown command"
        sys.stdout.write(f"{answer}\n\n")
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


def move(game: Game, colour: str) -> str:
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
    if MODE in ANSWERS:
        return ANSWERS[MODE]
    if MODE == "implicit":
        game.pass_if_forced()
    if game.board.turn.value != colour:
        return "? not my turn"
    chosen = next(iter(game.board.legal_moves))
    game.play(chosen)
    return f"= {square_name(chosen, game.size).upper()}"


main()
