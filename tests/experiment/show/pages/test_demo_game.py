from pathlib import Path
from typing import Any

import pytest

from othello_lab.experiment.run.outcomes import Checkpoint
from othello_lab.experiment.run.player_names import of_folder
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.pages.watch import Demonstration, demo_match, opponent_of
from othello_lab.game import Colour
from othello_lab.game.program_trust import UntrustedError
from tests.experiment.lab import Lab
from tests.experiment.show.pages.reported import folder_of


def run_of(path: Path, agent: str, **stats: Any) -> RunFolder:  # noqa: ANN401  any fact of the environment
    folder = folder_of(path / "run", 5, [], [], **stats)
    folder.write_config({**folder.config(), "agent": {"text": agent}})
    return folder


def test_games_are_played_to_their_end_one_after_another(tmp_path: Path) -> None:
    folder = run_of(tmp_path, "greedy", size=4, opponent="positional", first="agent")
    ends, moves = set(), set()
    with Demonstration(folder, pause=0.001) as game:

        def seen() -> bool:
            if shown := game.position:
                moves.add(shown["moves"])
                assert (shown["black"], shown["white"]) == ("greedy", "positional")
                ours = "black to move" in shown["says"]
                assert len(shown["values"] or ()) == (len(shown["legal"]) if ours else 0)
                if "to move" not in shown["says"]:
                    ends.add(shown["says"])
            return len(ends) > 1 and len(moves) > len(ends)

        Lab.await_that(seen)
    assert ends <= {"black wins.", "white wins.", "A draw."}


def test_before_the_first_checkpoint_it_says_so_and_a_bad_one_is_named(tmp_path: Path) -> None:
    folder = run_of(tmp_path, "dqn", size=4, opponent="greedy", first="agent")
    with Demonstration(folder, pause=0.001) as game:
        Lab.await_that(lambda: "no checkpoint" in game.says)
        folder.checkpoints.mkdir()
        (folder.checkpoints / "episode-5.safetensors").write_bytes(b"no checkpoint")
        folder.write_checkpoints([Checkpoint(5, "episode-5")])
        Lab.await_that(lambda: "episode-5.safetensors" in game.says)
        assert game.position is None


def test_the_newest_checkpoint_that_is_there_plays(tmp_path: Path) -> None:
    folder = run_of(tmp_path, "dqn", size=4, opponent="self")
    folder.checkpoints.mkdir()
    with pytest.raises(ValueError, match="no checkpoint"):
        of_folder(folder.path)
    folder.write_checkpoints([Checkpoint(episode, f"episode-{episode}") for episode in (5, 1000, 2000)])
    for episode in (5, 1000):
        (folder.checkpoints / f"episode-{episode}.safetensors").touch()
    policy = of_folder(folder.path).text
    assert policy.endswith("episode-1000.safetensors")
    assert opponent_of(folder.read_record(), policy) == policy


def test_no_program_of_a_strangers_run_is_started(tmp_path: Path) -> None:
    folder = run_of(tmp_path, "engine:rm -rf /", size=4, opponent="engine:rm -rf /")
    with pytest.raises(UntrustedError):
        demo_match(folder, 0)
    folder.write_config({**folder.config(), "agent": {"text": "greedy"}})
    (match, _, _) = demo_match(folder, 0)
    assert (match.a, match.b) == ("greedy", "greedy")


def test_it_takes_the_colours_of_training(tmp_path: Path) -> None:
    for first, colours in (("agent", "bb"), ("opponent", "ww"), ("alternate", "bw"), ("random", "bw")):
        folder = run_of(tmp_path / first, "greedy", size=4, opponent="random", first=first)
        names = [demo_match(folder, game)[2] for game in (0, 1)]
        mine = ["b" if name[Colour.BLACK] == "greedy" else "w" for name in names]
        assert "".join(mine) == colours
