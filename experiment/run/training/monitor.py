"""Shows and records how a run goes: display, metrics.jsonl, TensorBoard. Times stand here, never in a CSV."""

import time
from collections.abc import Mapping, Sequence

from experiment.run.episodes.control import AnyGlue, agent_numbers
from experiment.run.episodes.outcomes import Tally
from experiment.run.evaluation.result import Evaluation, by_opponent, in_words, total
from experiment.run.record import TrainingConfig
from experiment.run.results.events import Events
from experiment.run.results.run_folder import RunFolder
from experiment.run.training.counting import Pace, Played
from experiment.run.training.length import Forecast
from experiment.show.progress import Display
from experiment.show.view import View

METRICS_SECONDS = 2.0
"""Between two looks at the learner's numbers; there is one after each hundred episodes as well."""


class Monitor:
    """Hears of all games and evaluations; writes metrics.jsonl and TensorBoard, updates the display."""

    def __init__(
        self,
        glue: AnyGlue,
        folder: RunFolder,
        display: Display,
        pace: Pace,
        view: View,
        forecast: Forecast,
        events: Events,
    ) -> None:
        self._glue = glue
        self._folder = folder
        self._display = display
        self._pace = pace
        self._view = view
        self._recent = Tally()
        self._forecast = forecast
        self._events = events
        self._numbers: dict[str, float] = {}
        self._round: dict[str, float] = {}
        self._evaluated: Tally | None = None
        self._next_metrics = 0.0

    def played(self, played: Played, seconds: float, config: TrainingConfig) -> None:
        """Show how it goes after a unit of games that was counted.

        `seconds` are those of all training so far, `config` says how long the run is expected to be.
        """
        self._recent = played.recent
        if played.scores is not None:
            own = {f"pool {name}": score for name, score in played.scores.items()}
            self._round = own | {"seconds": seconds}
        self._forecast.config, self._forecast.trained = config, seconds
        if played.line or time.monotonic() >= self._next_metrics:
            self._measure()
        if played.line:
            self._display.line(played.line)
        done = self._pace.done
        left = self._forecast.seconds_left(done, self._pace.games_a_second.per_second)
        self._display.advance(done, self._facts(), left, config.episodes)

    def evaluations(self, results: Sequence[Evaluation], seconds: float, final: bool = False) -> None:
        """Record the results of evaluation games that took this many seconds; the report shows final ones."""
        self._pace.pause(seconds)
        self._forecast.evaluated(total(results).games, seconds)
        for opponent, games in by_opponent(results).items():
            self._write(opponent, games)
            if not final:
                self._display.line(f"{_when(games[0].episode)}: {in_words(games)}")
        self._display.activity("")
        if results:
            # The first opponent is the one that the agent learns against.
            self._evaluated = total(next(iter(by_opponent(results).values())))

    def _write(self, opponent: str, results: Sequence[Evaluation]) -> None:
        rates = {result.colour: _rates(result.tally) for result in results}
        if len(results) > 1:
            rates["both"] = _rates(total(results))
        for colour, values in rates.items():
            known = {"opponent": opponent, "colour": colour}
            self._folder.add_metrics(results[0].episode, {"evaluation": {**known, **values}})
            path = "/".join(word for word in ("evaluation", opponent, colour) if word)
            self._events.add(results[0].episode, {f"{path}/{name}": rate for name, rate in values.items()})

    def _measure(self) -> None:
        """Record the win rates, the speeds and the learner's own numbers."""
        self._next_metrics = time.monotonic() + METRICS_SECONDS
        self._numbers = agent_numbers(self._glue)
        if "updates" in self._numbers:
            self._pace.updates(self._numbers["updates"])
        own = {**self._view.shares(self._recent), **self._speeds(), **self._round}
        self._folder.add_metrics(self._pace.done, {**own, "agent": self._numbers})
        tags = {f"episode/{name}": value for name, value in own.items()}
        tags |= {f"train/{name}": value for name, value in self._numbers.items()}
        self._events.add(self._pace.done, tags)

    def _speeds(self) -> dict[str, float]:
        speeds = {"steps_per_second": round(self._pace.steps_a_second.per_second, 1)}
        if self._round:
            speeds["games_per_second"] = round(self._pace.games_a_second.per_second, 1)
        if "updates" in self._numbers:
            speeds["updates_per_second"] = round(self._pace.updates_a_second.per_second, 1)
        return speeds

    def _facts(self) -> list[str]:
        """What the display shows, the most important first."""
        pace, numbers = self._pace, self._numbers
        facts = [self._view.fact(self._recent)]
        if self._evaluated:
            facts.append(f"eval {self._evaluated.win_rate:.0%}")
        facts += [text.format(numbers[name]) for name, text in _LEARNER.items() if name in numbers]
        if self._round:
            facts.append(f"{pace.games_a_second.per_second:,.0f} games/s")
        facts.append(f"{pace.steps_a_second.per_second:,.0f} steps/s")
        if "updates" in numbers:
            facts.append(f"{pace.updates_a_second.per_second:,.0f} updates/s")
        return facts


_LEARNER: Mapping[str, str] = {"epsilon": "epsilon {:.2f}", "q_mean": "Q {:.2f}", "loss": "loss {:.2g}"}


def _when(episode: int) -> str:
    return f"after {episode:,} episodes" if episode else "before any game"


def _rates(tally: Tally) -> dict[str, float]:
    return {"win_rate": tally.win_rate, "score": tally.score}
