"""Checkpoints of a run: what the agent saves and loads, and the record of it in the run folder."""

from collections.abc import Callable

from experiment.run.control import (
    AnyGlue,
    ControlError,
    reason,
    refusal,
    saved_path,
    tell_agent,
    understood,
)
from experiment.run.names import FINAL_POLICY, Checkpoint, policy_name
from experiment.run.run_folder import RunFolder

KEPT = 3
"""This many checkpoints stay: the newest, and two for the case that it is damaged."""


class Checkpoints:
    """Has the agent save, load and remove; `newest` is the last that it saved or loaded."""

    def __init__(
        self, glue: AnyGlue, folder: RunFolder, prefix: str, say: Callable[[str], None], keep: bool = False
    ) -> None:
        """`prefix` is what names begin with; `say` tells the user a line; `keep`: policies stay."""
        self._glue = glue
        self._folder = folder
        self._prefix = prefix
        self._say = say
        self._keep = keep
        self._removes = True
        self._supported = set[str]()
        self.newest: Checkpoint | None = None

    def save(self, episode: int) -> None:
        """Order a save of everything that a resume needs, unless this episode's is there."""
        checkpoint = Checkpoint(episode, f"{self._prefix}episode-{episode:08d}")
        if not episode or self.newest == checkpoint:
            return
        self._folder.check_there()  # else the agent would make it anew, with nothing else in it
        if understood(self._save("save", checkpoint.name)):
            self._folder.write_checkpoints([*self._folder.saved(), checkpoint])
            self.newest = checkpoint
            if self._keep:
                self._save("save_policy", f"{self._prefix}{policy_name(episode)}")
            self.remove_old()

    def save_policy(self) -> str | None:
        """Order a save of what the agent has learned; return the path that it answers, None without one."""
        return saved_path(self._save("save_policy", f"{self._prefix}{FINAL_POLICY}"))

    def _save(self, order: str, name: str) -> str:
        """Order a save and return the answer; say so if an agent that saves could not."""
        answer = self._glue.RL_agent_message(f"{order} {name}")
        if understood(answer):
            self._supported.add(order)
            return answer
        # An order that was carried out before is known, whatever the agent lists.
        why = reason(answer) if order in self._supported else refusal(self._glue, order, answer)
        if why:
            self._say(f"the agent could not save {name}: {why}")
        return answer

    def remove_old(self) -> None:
        """Have the agent remove all but the newest, as long as it does; only then are they forgotten."""
        saved = self._folder.saved()
        for checkpoint in saved[:-KEPT]:
            self._removes = self._removes and tell_agent(self._glue, f"remove {checkpoint.name}")
        if self._removes and len(saved) > KEPT:
            self._folder.write_checkpoints(saved[-KEPT:])

    def load(self, candidates: tuple[Checkpoint, ...]) -> Checkpoint | None:
        """Have the agent load the first that is good, and say what is wrong with those before it.

        Returns that one, None if there are none. Raises ControlError if none is good.
        """
        reasons: list[str] = []
        for checkpoint in candidates:
            wrong = self._load(checkpoint)
            if wrong is None:
                for line in reasons:
                    self._say(f"{line}; going on from {checkpoint.name} instead")
                self.newest = checkpoint
                return checkpoint
            reasons.append(f"checkpoint {checkpoint.name} cannot be used: {wrong}")
        if reasons:
            what = "start the agent as before or put the files back, else start a new run"
            raise ControlError(f"{'; '.join(reasons)}; {what}")
        return None

    def _load(self, checkpoint: Checkpoint) -> str | None:
        """Have the agent load a checkpoint; return why it could not, None if it could."""
        recorded = self._folder.games()
        if recorded < checkpoint.episode:
            return f"{self._folder.path / self._folder.games_file} holds {recorded} games before it"
        order = f"load {checkpoint.name}"
        answer = self._glue.RL_agent_message(order)
        if understood(answer):
            return None
        wrong = refusal(self._glue, order, answer)
        if wrong is None:
            raise ControlError(
                f"the agent does not understand {order!r} and so cannot go on; it answered {answer[:80]!r}"
            )
        return wrong
