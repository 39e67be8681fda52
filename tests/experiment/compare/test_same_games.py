import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from othello_lab.agent.player_agent import PlayerAgent
from othello_lab.commands.cli import cli
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.compare.match import play_match
from othello_lab.experiment.compare.tournament.entrants import entrant
from othello_lab.experiment.compare.tournament.schedule import Plan, play_tournament
from othello_lab.experiment.compare.tournament.store import reading
from othello_lab.experiment.show.progress import Display
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import Board, Colour
from othello_lab.game.openings import standard_openings
from othello_lab.game.play import Pairing, Played
from othello_lab.game.records import readable
from rlglue.glue import Glue

SIZE, SEED = 6, 3
OPENINGS = standard_openings(SIZE, 4)
DETERMINISTIC, RANDOM = "alphabeta:depth=2,eval=mobility", "random"
BATCHED = "noisy:[search:depth=1,endgame=6,eval=dqn:pretrained],share=0.3"
PAIRS = [(DETERMINISTIC, RANDOM), (RANDOM, "corner-greedy"), (BATCHED, "greedy")]
ALONE = Pool()
QUIET = Display(Console(quiet=True), 0, 1)
Games = dict[tuple[str, str], str]  # The moves of each game, by the black player and the opening.


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with pytest.MonkeyPatch.context() as patch, Pool(2) as processes:
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
        yield processes


def listed(a: str, b: str, played: Iterable[Played]) -> Games:
    found = {}
    for game in played:
        black = a if game.colour is Colour.BLACK else b
        moves = game.record.game.transcript()
        found[black, moves[: 2 * game.record.opening]] = moves
    return found


def of_match(a: str, b: str, lines: Sequence[str] = OPENINGS, pool: Pool = ALONE) -> Games:
    match = Pairing(a, b, SIZE, tuple(lines), 1, SEED)
    return listed(a, b, play_match(match, pool, QUIET).games)


def of_tournament(path: Path, a: str, b: str, pool: Pool = ALONE) -> Games:
    who = [entrant(text, SIZE) for text in (a, b)]
    names = {one.id: one.text for one in who}
    games = play_tournament(Plan(who, SIZE, OPENINGS, 1, SEED), path, pool, Console(quiet=True)).games
    return {(names[game.key.black], game.key.opening): game.moves for game in games}


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_match_and_tournament_play_the_same_games(tmp_path: Path, a: str, b: str, pool: Pool) -> None:
    games = of_match(a, b)
    assert len(games) == len(set(games.values())) == 2 * len(OPENINGS)
    assert of_match(a, b, pool=pool) == games
    assert of_tournament(tmp_path / "games", a, b, pool) == games


@pytest.mark.slow
def test_the_order_of_the_players_makes_no_difference(tmp_path: Path) -> None:
    games = of_match(RANDOM, "corner-greedy")
    assert of_match("corner-greedy", RANDOM) == games
    assert of_tournament(tmp_path / "games", "corner-greedy", RANDOM) == games


def test_other_openings_make_no_difference() -> None:
    assert of_match(RANDOM, "greedy").items() <= of_match(RANDOM, "greedy", standard_openings(SIZE)).items()


def test_a_player_against_itself_does_not_play_every_game_twice() -> None:
    games = play_match(Pairing(RANDOM, RANDOM, SIZE, OPENINGS, 2, SEED), ALONE, QUIET).games
    assert len({game.record.game.transcript() for game in games}) == 4 * len(OPENINGS)


@pytest.mark.parametrize("agent", [RANDOM, "noisy:greedy,share=0.5"])
def test_a_player_of_ours_over_rl_glue_plays_the_same_games(agent: str) -> None:
    environment = OthelloEnvironment(EnvironmentConfig(size=SIZE, random_opening=6, seed=9))
    glue = Glue(PlayerAgent(agent, seed=7), environment)
    lines = (*OPENINGS, "")
    match = Pairing(agent, "corner-or-random", SIZE, lines, 2, SEED)
    glue.RL_init()
    played = []
    for number in range(match.games):
        luck, colour = match.luck(number), match.colour_of_a(number)
        first, start = "agent" if colour is Colour.BLACK else "opponent", luck.opening or Board.start(SIZE)
        chosen = f"seed {SEED}", f"opponent {match.b}", f"first {first}", f"start {start}"
        for message in (*chosen, f"episode {luck.episode(colour.other)}"):
            assert glue.RL_env_message(message).startswith("message understood")
        glue.RL_agent_message(f"luck {SEED} {luck.episode(colour)}")
        glue.RL_episode(0)
        played.append((colour, glue.RL_env_message("transcript")))
    games = play_match(match, ALONE, QUIET).games
    assert played == [(game.colour, game.record.game.transcript()) for game in games]


def test_the_three_commands_print_the_same_score(tmp_path: Path) -> None:
    options = "--size", "6", "--openings", "20", "--seed", "1", "--json"
    records, database = tmp_path / "games.jsonl", tmp_path / "games.sqlite"

    def asked(*words: str) -> Any:  # noqa: ANN401  JSON
        result = CliRunner().invoke(cli, [*words, *options], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    match = asked("match", "random", "greedy", "--records", str(records))
    evaluation = asked("evaluate", "random", "--opponent", "greedy")[0]
    tournament = asked("tournament", "random", "greedy", "--database", str(database))
    counted = "games", "win", "draw", "loss", "score", "as_black", "as_white", "mean_disc_diff"
    assert match["win"] + match["draw"] + match["loss"] == match["games"] == 40
    assert match["as_black"]["games"] == match["as_white"]["games"] == 20
    assert [match[key] for key in counted] == [evaluation[key] for key in counted]
    assert {player["text"]: player["score"] for player in tournament["players"]}["random"] == match["score"]
    with reading(database) as store:
        kept = sorted(game.moves for game in store.games())
    assert kept == sorted(record.game.transcript() for record in readable(records, SIZE)[0])
