"""TensorBoard events, by the tensorboard package's own writer."""

from collections.abc import Mapping
from pathlib import Path
from time import time

from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter


class Events:
    """Writes scalars to a folder that TensorBoard reads; steps are episodes."""

    def __init__(self, folder: Path, after: int = 0) -> None:
        """A run that goes on after so many episodes makes TensorBoard forget what was written beyond."""
        self._writer = EventFileWriter(str(folder))
        if after:
            start = SessionLog(status=SessionLog.START)
            self._writer.add_event(Event(wall_time=time(), step=after + 1, session_log=start))

    def add(self, episode: int, values: Mapping[str, float]) -> None:
        """Write values by tag, such as `train/loss`."""
        scalars = [Summary.Value(tag=tag, simple_value=value) for tag, value in values.items()]
        self._writer.add_event(Event(wall_time=time(), step=episode, summary=Summary(value=scalars)))

    def close(self) -> None:
        """Flush and close."""
        self._writer.close()
