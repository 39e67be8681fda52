"""Tables of judgements: names of all kinds in little room."""

import io
from collections.abc import Iterable

import pytest
from rich.console import Console

from othello_lab.experiment.compare.evaluate import Judgement, Trial
from othello_lab.experiment.compare.evaluate_table import joint_tables, table
from othello_lab.experiment.show.tables import Table, grid
from othello_lab.game import Board, Colour, Game
from othello_lab.game.play import Played, play_games
from othello_lab.game.records import Forfeited, Record

WEIGHTED = "alphabeta:depth=1,eval=[weights:bench,fade=1]"


def judged(agent: str) -> list[Judgement]:
    return [played(Trial("greedy", "random", 4, ("",), 1, 0, agent, name)) for name in ("random", WEIGHTED)]


def played(trial: Trial) -> Judgement:
    judgement = Judgement(trial)
    for game in play_games(trial, range(trial.games)):
        judgement.summary.add(game)
    return judgement


def printed(tables: Iterable[Table], width: int = 120) -> str:
    file = io.StringIO()
    Console(file=file, width=width).print(*map(grid, tables))
    return file.getvalue()


def joint(agents: list[str], width: int) -> str:
    return printed(joint_tables([judged(agent) for agent in agents], width), width)


def test_names_stand_in_headings_whole_or_broken_between_words() -> None:
    text = joint(["ntuple:pretrained", WEIGHTED], 80)
    words = text.split()
    assert "ntuple:pretrained" in words
    assert {"alphabeta:depth=1,", "eval=[weights:", "bench,fade=1]"} <= set(words)
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("width", [20, 40, 60])
def test_two_agents_stay_side_by_side_in_a_narrow_terminal(width: int) -> None:
    assert joint(["greedy", "random"], width).count("Scores side") == 1


def test_brackets_of_a_name_are_no_markup() -> None:
    assert printed([table(judged(WEIGHTED))]).count("[weights:bench,fade=1]") == 2


def test_games_that_were_forfeited_are_seen_in_the_scores() -> None:
    given_up = Record(Game(Board.start(4)), forfeit=Forfeited(Colour.WHITE, "no answer within 10 s"))
    judgements = judged("greedy")
    judgements[0].summary.add(Played(given_up, Colour.BLACK))
    assert printed(joint_tables([judgements, judged("random")], 80), 80).count("*") == 1
    (line,) = [line for line in printed([table(judgements)]).splitlines() if "random" in line]
    assert line.split()[-3:] == ["0", "/", "1"]
