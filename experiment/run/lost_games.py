"""Lost games: with --keep-lost-games they are written to lost.jsonl in the run folder.

This module is separate because it loads the rules of the game, which is slow.
"""

from collections.abc import Callable
from typing import Any

from othello_lab.experiment.run.control import agent_values, environment_values
from othello_lab.experiment.run.outcomes import SELF, Episode, Outcome
from othello_lab.experiment.run.record import agent_name
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.game.board import Colour
from othello_lab.game.game import STANDARD, Game, parse_start
from othello_lab.game.records.jsonl import as_json
from othello_lab.game.records.record import Forfeited, Record
from rlglue.glue import Glue


class LostGames:
    """A recorder of lost games. It records nothing in self-play or if the environment reports no games."""

    def __init__(self, glue: Glue, folder: RunFolder, size: int, say: Callable[[str], None]) -> None:
        """`say` prints a line if the environment does not report its games."""
        self._glue, self._folder, self._size, self._say = glue, folder, size, say
        self._is_off = False

    def add(self, kind: str, after: int, episode: Episode) -> None:
        """Record the game that has just ended, if the agent lost the game.

        `kind` is "training" or "evaluation"; `after` is the number of training games before this game.
        """
        if self._is_off or episode.outcome is not Outcome.LOSS:
            return
        stats = environment_values(self._glue)
        if stats.get("opponent") == SELF:
            return
        try:
            record = self._record(kind, episode, stats)
        except ValueError as error:
            self._is_off = True
            self._say(f"lost games are not kept: the environment does not tell its games: {error}")
            return
        self._folder.add_lost(after, as_json(record))

    def _record(self, kind: str, episode: Episode, stats: dict[str, Any]) -> Record:
        game = Game.from_transcript(self._glue.RL_env_message("transcript"), self._size)
        opening = len(parse_start(str(stats.get("start", STANDARD)), self._size).moves)
        colour = Colour(episode.colour)
        forfeit = None if game.board.is_over else Forfeited(colour, "illegal action")
        agent = agent_name(agent_values(self._glue, "config")) or "agent"
        names = agent, str(stats.get("opponent", ""))
        black, white = names if colour is Colour.BLACK else names[::-1]
        return Record(game, black, white, opening, forfeit=forfeit, event=kind)
