"""The schedule of an agent: how much it explores and until when it learns, the same for every method."""

from dataclasses import dataclass

CLOCKS = ("steps", "games")
EPSILON_SCHEDULES = ("linear", "exponential")


@dataclass(frozen=True)
class Schedule:
    """Epsilon over a clock of steps (decisions while learning) or games."""

    clock: str = "steps"
    """What the ticks below are: steps, or games."""
    epsilon_schedule: str = "linear"
    """linear, or exponential: the same factor at every tick."""
    epsilon_start: float = 1.0
    epsilon_end: float = 0.0
    epsilon_from: int = 0
    """Tick up to which epsilon stays at its start; from there it falls."""
    epsilon_steps: int = 0
    """Ticks from epsilon_from until epsilon is at its end."""
    opening_moves: int = 0
    """First decisions of a game that are taken at random with opening_epsilon, where that is more."""
    opening_epsilon: float = 0.0
    freeze_after_wins: int = 0
    """Games in a row without a loss after which learning and exploring end; 0 never ends them."""

    def epsilon(self, tick: int) -> float:
        """Return the share of random moves at a tick of the clock."""
        done = min(max((tick - self.epsilon_from) / max(self.epsilon_steps, 1), 0.0), 1.0)
        if self.epsilon_schedule == "exponential":
            return float(self.epsilon_start * (self.epsilon_end / self.epsilon_start) ** done)
        return self.epsilon_start + (self.epsilon_end - self.epsilon_start) * done
