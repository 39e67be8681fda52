"""Report the progress of a run to the display, metrics.jsonl and TensorBoard."""

import os
import platform
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter

from othello_lab.experiment.run.control import agent_numbers
from othello_lab.experiment.run.length import Pace
from othello_lab.experiment.run.outcomes import Evaluation, Tally, View, by_opponent, in_words, total
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.progress import Display
from othello_lab.game.safe_files import naming
from rlglue.glue import Glue

_FORMAT = "brain.Event:2"


class Events:
    """A writer of TensorBoard scalars, with the episode as the step."""

    # TensorBoard's EventFileWriter is not used, because its thread prints a traceback if the disk is full.

    def __init__(self, folder: Path, after: int = 0) -> None:
        """Create an event file. TensorBoard then discards values of earlier files for episodes > `after`."""
        suffix = f"{int(time.time()):010d}.{platform.node()}.{os.getpid()}.{time.time_ns()}"
        self._path = folder / f"events.out.tfevents.{suffix}"
        with naming(self._path):
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("xb")
        self._records = RecordWriter(self._file)
        self._write(Event(wall_time=time.time(), file_version=_FORMAT))
        if after:
            start = SessionLog(status=SessionLog.START)
            self._write(Event(wall_time=time.time(), step=after + 1, session_log=start))

    def add(self, episode: int, values: Mapping[str, float]) -> None:
        """Write values by tag, such as `train/loss`."""
        scalars = [Summary.Value(tag=tag, simple_value=value) for tag, value in values.items()]
        self._write(Event(wall_time=time.time(), step=episode, summary=Summary(value=scalars)))

    def _write(self, event: Event) -> None:
        try:
            with naming(self._path):
                self._records.write(event.SerializeToString())
                self._file.flush()
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Close the file. All values are already written."""
        with suppress(OSError):  # writing already raised the error
            self._file.close()


METRICS_SECONDS = 2.0  # The query interval for the learner's numbers. Every 100th episode adds a query.
_SPEED_SECONDS = 10.0  # averaging window of the speeds


class Monitor:
    """Update metrics.jsonl, TensorBoard and the display after games and evaluations."""

    def __init__(
        self, glue: Glue, folder: RunFolder, display: Display, pace: Pace, view: View, events: Events
    ) -> None:
        self._glue, self._folder, self._display = glue, folder, display
        self._pace, self._view, self._events = pace, view, events
        self._recent = Tally()
        self._evaluated: Tally | None = None
        self._evaluating = 0.0  # evaluation time in seconds since the first game of this session
        self._numbers: dict[str, float] = {}
        self._round: dict[str, float] = {}
        self._marks = deque([(0.0, {"games": 0.0, "steps": 0.0})])
        self._speeds: dict[str, float] = {}
        self._next_metrics = 0.0

    def played(
        self, recent: Tally, episodes: int, line: str | None = None, scores: Mapping[str, float] | None = None
    ) -> None:
        """Report the progress after a game or a round. `episodes` is the (estimated) length of the run.

        `line` is a summary of a hundred games. `scores` are the learner's scores in a round, by opponent.
        """
        self._recent, work = recent, self._pace.work
        if scores is not None:
            pool = {f"pool {name}": score for name, score in scores.items()}
            self._round = {**pool, "seconds": self._pace.seconds}
        if line or time.monotonic() >= self._next_metrics:
            self._measure()
        if line:
            self._display.line(line)
        done = self._pace.done
        left = (work.seconds + self._evaluating) / work.games * (episodes - done)
        self._display.advance(done, self._facts(), left, episodes)

    def evaluations(self, results: Sequence[Evaluation], seconds: float, is_final: bool) -> None:
        """Record evaluation games that took `seconds`. Unless `is_final`, display one line per opponent."""
        self._pace.pause(seconds)
        self._evaluating += seconds if self._pace.work.games else 0.0
        for opponent, games in by_opponent(results).items():
            self._write(opponent, games)
            if not is_final:
                done = games[0].episode
                when = f"after {done:,} episodes" if done else "before any game"
                self._display.line(f"{when}: {in_words(games)}")
        self._display.activity("")
        if results:
            # The main opponent is first: the training opponent or STAND_IN.
            self._evaluated = total(next(iter(by_opponent(results).values())))

    def _write(self, opponent: str, results: Sequence[Evaluation]) -> None:
        rates = {result.colour: _rates(result.tally) for result in results}
        if len(results) > 1:
            rates["both"] = _rates(total(results))
        for colour, values in rates.items():
            evaluation = {"opponent": opponent, "colour": colour, **values}
            self._folder.add_metrics(results[0].episode, {"evaluation": evaluation})
            path = "/".join(filter(None, ("evaluation", opponent, colour)))
            self._events.add(results[0].episode, {f"{path}/{name}": rate for name, rate in values.items()})

    def _measure(self) -> None:
        self._next_metrics = time.monotonic() + METRICS_SECONDS
        self._numbers = agent_numbers(self._glue)
        self._measure_speeds()
        speeds = {f"{name}_per_second": round(speed, 1) for name, speed in self._speeds.items()}
        values = {**self._view.shares(self._recent), **speeds, **self._round}
        self._folder.add_metrics(self._pace.done, {**values, "agent": self._numbers})
        tags = {f"episode/{name}": value for name, value in values.items()}
        tags |= {f"train/{name}": value for name, value in self._numbers.items()}
        self._events.add(self._pace.done, tags)

    def _measure_speeds(self) -> None:
        work = self._pace.work
        counts = {"games": work.games, "steps": work.decisions, "updates": self._numbers.get("updates")}
        self._marks.append((work.seconds, {name: n for name, n in counts.items() if n is not None}))
        while len(self._marks) > 2 and work.seconds - self._marks[0][0] > _SPEED_SECONDS:
            self._marks.popleft()
        (begin, before), (end, now) = self._marks[0], self._marks[-1]
        shown = {name: n for name, n in now.items() if name != "games" or self._round}
        span = max(end - begin, 1e-9)
        self._speeds = {name: (n - before.get(name, n)) / span for name, n in shown.items()}

    def _facts(self) -> list[str]:
        """Return short texts for the display, the most important first."""
        facts = [self._view.fact(self._recent)]
        if self._evaluated:
            facts.append(f"eval {self._evaluated.win_rate:.0%}")
        facts += [
            text.format(self._numbers[name]) for name, text in _LEARNER.items() if name in self._numbers
        ]
        return facts + [f"{speed:,.0f} {name}/s" for name, speed in self._speeds.items()]


_LEARNER: Mapping[str, str] = {"epsilon": "epsilon {:.2f}", "q_mean": "Q {:.2f}", "loss": "loss {:.2g}"}


def _rates(tally: Tally) -> dict[str, float]:
    return {"win_rate": tally.win_rate, "score": tally.score}
