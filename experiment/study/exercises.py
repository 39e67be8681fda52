"""The exercises of the lessons (docs/lessons): what each asks, and what is a right answer.

No answer is written here: each is worked out from the rules, the solver, the statistics or games.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from math import inf, log, log10, sqrt
from typing import Final

import numpy as np
from rich.console import Console

from othello_lab.experiment.compare.match import play_match
from othello_lab.experiment.study.statistics.intervals import NORMAL, wilson
from othello_lab.experiment.study.truth.asking import EVERYWHERE
from othello_lab.experiment.study.truth.summary import Lines
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game.board import Board, Colour
from othello_lab.game.decisions import every_game
from othello_lab.game.notation import parse_square, square_name
from othello_lab.game.openings import openings_at_most, perft
from othello_lab.game.play.pairing import Pairing
from othello_lab.game.players import make
from othello_lab.game.solver.solver import Solver

Answer = Sequence[str]
"""The words that were typed; a player comes as its registry text and the size of its board."""


@dataclass(frozen=True)
class Exercise:
    """A question and its check."""

    question: str
    check: Callable[[Answer], str]
    """Says why an answer is right; raises WrongError for a wrong one, ValueError for one of another kind."""
    player: bool = False
    """Whether the answer is a player or a run."""


class WrongError(Exception):
    """An answer that is not right; the text helps to find it."""


def _numbers(answer: Answer, count: int) -> list[float]:
    try:
        found = [float(word.rstrip("%")) / (100 if word.endswith("%") else 1) for word in answer]
    except ValueError:
        found = []
    if len(found) != count:
        raise ValueError(f"expected {count} number{'s' * (count > 1)}, got {' '.join(answer)!r}")
    return found


def _near(right: Callable[[], Sequence[float]], within: float, hint: str, answer: Answer) -> str:
    """Check numbers, each of which may be off by `within`."""
    wanted = right()
    for said, value in zip(_numbers(answer, len(wanted)), wanted, strict=True):
        if not abs(said - value) <= within:  # no number is off by nan
            raise WrongError(f"not {said:g}: {hint}")
    return " and ".join(f"{value:.4g}" for value in wanted)


def number(question: str, right: Callable[[], float], within: float, hint: str) -> Exercise:
    """Return an exercise whose answer is a number."""
    return Exercise(question, partial(_near, lambda: [right()], within, hint))


def _replies(answer: Answer) -> str:
    board = Board.start(8).play(parse_square("d3", 8))
    said = {parse_square(word, 8) for word in answer}
    if said != set(board.legal_moves):
        raise WrongError("a move must take a disc in between, in any of eight directions; d3 took d4")
    shown = " ".join(square_name(square, 8) for square in board.legal_moves)
    return f"{shown}, as the third plane of White's observation shows"


def _is_sure(answer: Answer) -> str:
    if len(answer) != 1 or answer[0].lower() not in ("yes", "no"):
        raise ValueError("expected yes or no")
    if answer[0].lower() != "no":
        raise WrongError("the interval of the difference holds 0: the variances of both shares add up")
    return "the difference is .07 ± .14"


def _value_of_4x4(answer: Answer) -> str:
    if len(answer) != 2 or answer[0].lower() not in ("black", "white"):
        raise ValueError("expected a colour and a number of discs, such as: black 4")
    value = Solver(4).solve(Board.start(4)).value
    colour = "black" if value > 0 else "white"
    if (answer[0].lower(), _numbers(answer[1:], 1)[0]) != (colour, abs(value)):
        raise WrongError("ask the solver: othello solve standard --size 4")
    return f"{colour} wins by {abs(value)} discs, whatever the other side does"


def _perfect(answer: Answer) -> str:
    text, size = answer
    if int(size) != EVERYWHERE:
        raise WrongError(f"it plays on {size}x{size}: train one with --size 4")
    with closing(make(text, EVERYWHERE)) as player:
        games = every_game(player, Colour.WHITE, np.random.default_rng(0))
        white = Lines.of(games, Colour.WHITE).tally
    games_there = f"{white.games:,} games that Black can lead it into"
    if white.win < white.games:
        raise WrongError(f"as White it wins {white.win:,} of {games_there}: let it play itself")
    return f"White wins every one of {games_there}"


OPENINGS: Final = 50
"""From so many positions the games of an exercise begin, each with both colours."""


def score(text: str, opponent: str, size: int) -> float:
    """Return the score of a player in an exercise's games."""
    match = Pairing(text, opponent, size, openings_at_most(size, OPENINGS), 1, 0)
    with Pool(1) as pool:
        summary, games = play_match(match, pool, Console(stderr=True))
    if len(games) < match.games:
        raise KeyboardInterrupt
    return summary.score().value


def _between(bounds: Mapping[str, tuple[float, float]], hint: str, answer: Answer) -> str:
    """Check a player's score against each opponent."""
    text, size = answer
    found = {opponent: score(text, opponent, int(size)) for opponent in bounds}
    said = ", ".join(f"{value:.3f} against {opponent}" for opponent, value in found.items())
    if any(not least <= found[opponent] <= most for opponent, (least, most) in bounds.items()):
        raise WrongError(f"it scores {said}: {hint}")
    return f"it scores {said}"


def against(question: str, hint: str, bounds: Mapping[str, tuple[float, float]]) -> Exercise:
    """Return an exercise whose answer is a player with scores within bounds, by opponent."""
    return Exercise(question, partial(_between, bounds, hint), player=True)


def _of_wilson() -> Sequence[float]:
    return wilson(0.7, 10)


def _games_for() -> float:
    return (NORMAL / 0.03) ** 2 / 4


EXERCISES: Final[Mapping[str, Exercise]] = {
    "1.1": number(
        "How many ways are there to play the first six plies on 6x6?",
        lambda: perft(Board.start(6), 6),
        0,
        "count the paths, not the positions: othello perft",
    ),
    "1.2": Exercise("Black begins with d3 on 8x8. Which squares may White take? Such as: a1 b2", _replies),
    "2.1": Exercise(
        "Won: 7 games of 10. Between which two shares does the chance to win lie (95 %, Wilson's interval)? "
        "Such as: .2 .6",
        partial(_near, _of_wilson, 0.01, "the formula is in the lesson"),
    ),
    "2.2": number(
        "About half of the games are won. How many make the interval ± 0.03?",
        _games_for,
        60,
        "0.03 is 1.96 standard deviations, and that of a share p is sqrt(p (1 - p) / n)",
    ),
    "2.3": Exercise(
        "A wins 62 of 100 games, B 55 of 100 others. Is it sure (95 %) that A is better? yes or no",
        _is_sure,
    ),
    "3.1": Exercise(
        "Who wins on 4x4 if both play perfectly, and by how many discs on the board? Such as: black 4",
        _value_of_4x4,
    ),
    "3.2": Exercise(
        "Train a table, or another agent, on 4x4 that wins as White whatever Black plays. Its name?",
        _perfect,
        player=True,
    ),
    "4.1": number(
        "Discount .99, returns over three decisions: this is the first of three, and the third ends the game "
        "and wins, reward 1. What is its target?",
        lambda: 0.99**2,
        0.0005,
        "see the target in the lesson; there is nothing behind the end of the game",
    ),
    "4.2": number(
        "Self-play, discount 1: after the move the other side chooses among squares worth -.7, -.6 and -.3 "
        "to it; for a square that is not legal the network says .9. What is the target of the move?",
        lambda: 0.3,
        0.0005,
        "what is good for the other side is bad for this one, and nobody can choose an illegal square",
    ),
    "5.1": against(
        "Train an agent that scores at least .7 against corner-greedy and at most .65 against positional.",
        "train it against corner-greedy alone, for some hundred games",
        {"corner-greedy": (0.7, inf), "positional": (0.0, 0.65)},
    ),
    "5.2": number(
        "A is Black, B is White, and neither draws random numbers. How many different games from the start?",
        lambda: 1,
        0,
        "where nothing is drawn the same position has the same answer",
    ),
    "6.1": number(
        "How many weights has a tuple of six squares, each of which is empty, own or the opponent's?",
        lambda: 3**6,
        0,
        "one for each way to fill it",
    ),
    "6.2": number(
        "The next two positions are worth .3 and .5 to a side, then it wins: 1. What is the lambda return of "
        "the position before them to this side, with lambda .5 and no discount?",
        lambda: 0.5 * 0.3 + 0.25 * 0.5 + 0.25 * 1,
        0.0005,
        "(1 - lambda) times the next value plus lambda times the return from there, from the end backwards",
    ),
    "6.3": against(
        "Train by self-play until it scores at least .7 against weights:swh, which the default pool of "
        "opponents does not have. Its name?",
        "more games: othello selfplay --games",
        {"weights:swh": (0.7, inf)},
    ),
    "7.1": number(
        "UCT with c = 1: a move has the mean .2 after 10 of 100 visits. How large is what UCT compares?",
        lambda: 0.2 + sqrt(log(100) / 10),
        0.005,
        "Q + c sqrt(ln N / n), with the natural logarithm",
    ),
    "7.2": number(
        "Ten moves in each position, four plies: how many leaves does alpha-beta visit at least?",
        lambda: 10**2 + 10**2 - 1,
        0,
        "2 b^(d/2) - 1, with b moves in each position and d plies",
    ),
    "8.1": number(
        "A scores .75 against B. By how many points of rating is A ahead?",
        lambda: 400 * log10(0.75 / 0.25),
        1,
        "a lead of D points scores 1 / (1 + 10^(-D / 400))",
    ),
    "8.2": number(
        "B is 100 points ahead of C. What does B score against C?",
        lambda: 1 / (1 + 10 ** (-100 / 400)),
        0.006,
        "a lead of D points scores 1 / (1 + 10^(-D / 400))",
    ),
}
"""All of them by number: the lesson, and the place in it."""
