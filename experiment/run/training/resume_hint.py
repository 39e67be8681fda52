"""The hint at the stop of a run: what is safe, and how it is resumed."""

from collections.abc import Iterator
from contextlib import contextmanager

from experiment.run.episodes.control import ControlError
from experiment.run.results.run_folder import RunFolder
from experiment.run.training.plan import Plan
from experiment.workers.shards import ClusterError, WorkerDiedError
from rlglue.errors import GlueError


def reason(error: OSError) -> str:
    """Say what the system could not do, and to which file."""
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"


@contextmanager
def explaining_how_to_resume(plan: Plan, resume: str) -> Iterator[None]:
    """Add to the news of what broke a run off what of it is safe, and how it is resumed, if it has begun."""
    try:
        yield
    except ControlError:  # nobody is lost: one of them does not do what it must
        raise
    except GlueError as error:
        if not plan.folder.began:
            raise
        raise GlueError(f"{error}; go on with: {resume}") from None
    except (ClusterError, WorkerDiedError) as error:
        raise type(error)(f"{error}; {_safe(plan.folder, resume)}") from None
    except BrokenPipeError:  # nobody reads what is printed: no trouble of the run
        raise
    except OSError as error:
        plan.folder.check_there()
        raise GlueError(f"{reason(error)}; {_safe(plan.folder, resume)}") from None


def _safe(folder: RunFolder, resume: str) -> str:
    """Say what of a run is safe, and what to do next."""
    if not folder.began:
        return "the run had not begun: mend that, then start it again"
    saved = folder.saved()
    safe = f"the run is safe up to game {saved[-1].episode}" if saved else "nothing of the run is saved yet"
    return f"{safe}: mend that, then go on with: {resume}"
