"""TensorBoard events, in the format of the tensorboard package's own writer."""

import os
import platform
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import time, time_ns

from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter

from game.files import naming

_FORMAT = "brain.Event:2"


class Events:
    """Writes scalars to a folder that TensorBoard reads; steps are episodes.

    In this thread: the package's EventFileWriter has one of its own, whose errors (a full disk) end in a
    traceback.
    """

    def __init__(self, folder: Path, after: int = 0) -> None:
        """A run that goes on after this many episodes makes TensorBoard forget what was written beyond."""
        own = f"{int(time()):010d}.{platform.node()}.{os.getpid()}.{time_ns()}"
        self._path = folder / f"events.out.tfevents.{own}"
        with naming(self._path):
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("wb")
        self._records = RecordWriter(self._file)
        self._write(Event(wall_time=time(), file_version=_FORMAT))
        if after:
            start = SessionLog(status=SessionLog.START)
            self._write(Event(wall_time=time(), step=after + 1, session_log=start))

    def add(self, episode: int, values: Mapping[str, float]) -> None:
        """Write values by tag, such as `train/loss`."""
        scalars = [Summary.Value(tag=tag, simple_value=value) for tag, value in values.items()]
        self._write(Event(wall_time=time(), step=episode, summary=Summary(value=scalars)))

    def _write(self, event: Event) -> None:
        try:
            with naming(self._path):
                self._records.write(event.SerializeToString())
                self._file.flush()
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Close; everything has been written before."""
        with suppress(OSError):  # what could not be written was told then
            self._file.close()
