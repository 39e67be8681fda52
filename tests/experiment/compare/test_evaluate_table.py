import io
from collections.abc import Iterable

import pytest
from rich.console import Console

from othello_lab.experiment.compare.evaluate_table import joint_tables, table
from othello_lab.experiment.compare.match import Summary
from othello_lab.experiment.show.tables import Table, grid
from othello_lab.game import Board, Colour, Game
from othello_lab.game.play import Pairing, Played, play_games
from othello_lab.game.records import Forfeited, Record

WEIGHTED = "alphabeta:depth=1,eval=[weights:bench,fade=1]"


def judged(agent: str) -> list[Summary]:
    summaries = [Summary(Pairing("greedy", "random", 4), agent, name) for name in ("random", WEIGHTED)]
    for summary in summaries:
        for game in play_games(summary.match, range(summary.match.games)):
            summary.add(game)
    return summaries


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
    summaries = judged("greedy")
    summaries[0].add(Played(given_up, Colour.BLACK))
    assert printed(joint_tables([summaries, judged("random")], 80), 80).count("*") == 1
    (line,) = [line for line in printed([table(summaries)]).splitlines() if "random" in line]
    assert line.split()[-3:] == ["0", "/", "1"]
