"""The view of training: outcomes of the agent or, where it plays both sides, of black and white."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from othello_lab.experiment.run.outcomes import Episode, Outcome, Tally
from othello_lab.experiment.run.record import known

_OTHER = {Outcome.WIN: Outcome.LOSS, Outcome.DRAW: Outcome.DRAW, Outcome.LOSS: Outcome.WIN}


@dataclass(frozen=True)
class View:
    """How training games are counted and named. With `selfplay` a win is black's, a loss white's."""

    selfplay: bool = False

    @property
    def shares_shown(self) -> tuple[tuple[set[Outcome], str], ...]:
        """The shares of training games that curves show: of which outcomes, and what they are called."""
        if self.selfplay:
            return (
                ({Outcome.WIN}, "won by black"),
                ({Outcome.LOSS}, "won by white"),
                ({Outcome.DRAW}, "drawn"),
            )
        return ({Outcome.WIN}, "won"), ({Outcome.WIN, Outcome.DRAW}, "won or drawn")

    def outcome(self, episode: Episode) -> Outcome | None:
        """Return how an episode ended as it is counted: in self-play its row has the last mover's outcome."""
        if not self.selfplay or episode.colour == "black":
            return episode.outcome
        return None if episode.outcome is None else _OTHER[episode.outcome]

    def words(self, tally: Tally) -> str:
        """Say how some games went."""
        if not self.selfplay:
            return str(tally)
        others = f", {tally.other} without a result" if tally.other else ""
        return f"{tally.win} won by black, {tally.loss} by white, {tally.draw} drawn{others}"

    def fact(self, recent: Tally) -> str:
        """Say it with few words, for the bar."""
        if not self.selfplay:
            return f"won {recent.win_rate:.0%} of last {recent.games}"
        shares = self.shares(recent)
        return "black {black:.0%} white {white:.0%} drawn {drawn:.0%}".format(**shares)

    def shares(self, tally: Tally) -> dict[str, float]:
        """Return what metrics.jsonl and TensorBoard hold of some games, by name."""
        if not self.selfplay:
            return {"win_rate": tally.win_rate, "score": tally.score}
        games = max(1, tally.games)
        return {"black": tally.win / games, "white": tally.loss / games, "drawn": tally.draw / games}


def is_selfplay(config: Mapping[str, Any]) -> bool:
    """Tell whether a run is one of batched self-play, from its config.json."""
    return known(config).selfplay is not None
