"""Evaluation: games with learning and exploration frozen, after which training goes on as if they had
never been played.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

from experiment.episodes.control import (
    AnyGlue,
    ControlError,
    EnvironmentState,
    agent_values,
    environment_values,
    require,
    tell_agent,
)
from experiment.episodes.loop import Watch, episodes
from experiment.episodes.outcomes import Tally
from experiment.episodes.task import Task
from experiment.match.loop import standard_openings
from rlglue.errors import GlueError

FROM_OPENINGS = " (openings)"
"""Added to the opponent's name where the games began from the openings."""
SELF = "self"
"""What an environment calls its opponent where the agent plays both sides."""
STAND_IN = "corner-greedy"
"""Who an agent that learns against itself is evaluated against first."""
STRANGERS = ("random", "positional", "weights:swh")
"""Players of the end of a run: an agent that trains against another has never met them."""

_FREEZES = {"learning": "learning could not be frozen", "exploring": "exploration could not be frozen"}


class Stopped(Exception):  # noqa: N818  not an error: somebody has asked to stop
    """An evaluation was broken off; it has no result."""


@dataclass(frozen=True)
class Evaluation:
    """The result of some games without learning and exploration."""

    episode: int
    """How many training episodes the agent had behind it."""
    opponent: str
    colour: str
    """The agent's: black or white; "" if the environment does not tell."""
    tally: Tally
    notes: tuple[str, ...] = ()


def opening_lines(size: int, most: int | None = None) -> tuple[str, ...]:
    """Return the openings of four plies, or `most` of them, evenly spread, where there are more."""
    every = standard_openings(size)
    return every if most is None or most >= len(every) else standard_openings(size, most)


def by_opponent(results: Iterable[Evaluation]) -> dict[str, list[Evaluation]]:
    """Sort results by opponent, in the order in which they come."""
    sorted_: dict[str, list[Evaluation]] = {}
    for result in results:
        sorted_.setdefault(result.opponent, []).append(result)
    return sorted_


def total(results: Iterable[Evaluation]) -> Tally:
    """Return all colours together."""
    return sum((result.tally for result in results), Tally())


def in_words(results: Sequence[Evaluation]) -> str:
    """Say how the games against one opponent went: the sum first, then each colour."""
    tally = total(results)
    rates = [f"{result.colour} {100 * result.tally.win_rate:.1f} %" for result in results if result.colour]
    split = f" ({', '.join(rates)})" if len(rates) > 1 else ""
    against = _against(results[0].opponent)
    return f"{tally} of {tally.games:,}{against}: {100 * tally.win_rate:.1f} %{split}"


@dataclass
class Evaluator:
    """Plays evaluation games; `skipped` holds the reasons why some could not be played.

    Each opponent's games come from the same seed, so its results do not depend on who else is played. All
    that play raise Stopped.
    """

    glue: AnyGlue
    task: Task
    seed: int
    """Of the evaluation games, which have a stream of their own."""
    opponents: Sequence[str] = ()
    """Registry texts, besides the environment's own opponent."""
    max_steps: int = 0
    watch: Watch | None = None
    on_game: Callable[[str, int, int], None] = lambda what, done, total: None
    stop: Callable[[], bool] = lambda: False
    skipped: list[str] = field(default_factory=list)

    def rivals(self) -> list[str]:
        """Return who the agent is evaluated against; "" is an opponent that the environment does not name."""
        own = str(environment_values(self.glue).get("opponent", ""))
        return list(dict.fromkeys([STAND_IN if own == SELF else own, *self.opponents]))

    def strangers(self) -> list[str]:
        """Return the players that the agent has never met in training; none where the board is unknown."""
        if self.task.size is None:
            return []
        return [name for name in STRANGERS if name != self.rivals()[0]]

    def games(self, episode: int, games: int) -> list[Evaluation]:
        """Play so many games against each rival; a result for each rival and colour that was played.

        None for a rival that the environment does not take, nor if it does not obey at all.
        """
        play = partial(self._play, games)
        return [result for rival in self.rivals() for result in self._results(episode, rival, play)]

    def openings(
        self, episode: int, rival: str, count: int | None = None, strict: bool = False
    ) -> list[Evaluation]:
        """Play from each opening of 4 plies, or at most `count` of them, as black and as white.

        None if the environment does not obey, and with `strict` if the rival forfeits a game.
        """
        if self.task.size is None:
            return []
        play = partial(self._play_from, opening_lines(self.task.size, count), strict)
        return self._results(episode, rival, play, FROM_OPENINGS)

    def _results(
        self, episode: int, rival: str, play: Callable[[str], dict[str, Tally]], suffix: str = ""
    ) -> list[Evaluation]:
        """Have games played and return their results, by the agent's colour."""
        try:
            with self._undisturbed(rival) as frozen:
                if frozen is None:
                    return []
                tallies = play(_against(rival))
        except ControlError as error:
            self._skip(f"evaluation{_against(rival + suffix)} skipped: {error}")
            return []
        return [
            Evaluation(episode, rival + suffix, colour, tallies[colour], frozen) for colour in sorted(tallies)
        ]

    def _play(self, games: int, against: str) -> dict[str, Tally]:
        tallies: dict[str, Tally] = {}
        played = episodes(self.glue, self.task, max_steps=self.max_steps, watch=self.watch)
        for number in range(games):
            self._pause(f"evaluating{against}", number, games)
            game = next(played)
            tallies.setdefault(game.colour, Tally()).add(game.outcome)
        return tallies

    def _play_from(self, lines: Sequence[str], strict: bool, against: str) -> dict[str, Tally]:
        tallies, forfeits = {"black": Tally(), "white": Tally()}, self._forfeits()
        # Black is to move after four plies, so who is `first`, that is black, begins.
        for first, colour in (("agent", "black"), ("opponent", "white")):
            require(self.glue, f"first {first}")
            require(self.glue, "episode 0")
            games = episodes(self.glue, self.task, max_steps=self.max_steps, watch=self.watch)
            for number, line in enumerate(lines):
                self._pause(f"openings as {colour}{against}", number, len(lines))
                require(self.glue, f"start {line}")
                tallies[colour].add(next(games).outcome)
                if strict and self._forfeits() > forfeits:
                    raise ControlError("it gave a game up; the environment's log says why")
        return tallies

    def _forfeits(self) -> int:
        """How many games opponents have given up so far."""
        return int(environment_values(self.glue).get("opponent_forfeits", 0))

    def _pause(self, what: str, done: int, total: int) -> None:
        self.on_game(what, done, total)
        if self.stop():
            raise Stopped

    @contextmanager
    def _undisturbed(self, rival: str) -> Iterator[tuple[str, ...] | None]:
        """Freeze the agent and set the environment up to play as `rival`; undo both, come what may.

        An agent that its user, or it itself, had frozen stays frozen: its `stats` tell `learning` and
        `exploring`. One that does not tell is taken to learn and to explore, as agents do when they start.
        Yields what could not be frozen, None if the environment understands no messages.
        """
        before = EnvironmentState.of(self.glue)
        if before is None:
            self._skip("evaluations skipped: the environment does not tell its state by messages")
            yield None
            return
        told = agent_values(self.glue, "stats")
        active = [name for name in _FREEZES if told.get(name) is not False]
        notes = tuple(note for name, note in _FREEZES.items() if not tell_agent(self.glue, f"freeze {name}"))
        try:
            require(self.glue, f"seed {self.seed}")
            require(self.glue, "episode 0")
            self._seat(rival, before.opponent)
            yield notes
        except BaseException:
            # The error that passes through is the news; who is gone cannot be put back.
            with suppress(GlueError):
                self._restore(before, active)
            raise
        else:
            self._restore(before, active)

    def _seat(self, rival: str, own: str) -> None:
        """Let `rival` play in place of the environment's own opponent, if that can be undone."""
        if own == SELF and rival == STAND_IN and rival not in self.opponents:
            require(self.glue, "first agent")
        if rival != own:
            require(self.glue, f"opponent {own}")
            require(self.glue, f"opponent {rival}")

    def _restore(self, before: EnvironmentState, active: Sequence[str]) -> None:
        try:
            before.restore(self.glue)
        finally:
            for name in active:
                tell_agent(self.glue, f"unfreeze {name}")

    def _skip(self, reason: str) -> None:
        if reason not in self.skipped:
            self.skipped.append(reason)


def _against(rival: str) -> str:
    return f" against {rival}" if rival else ""
