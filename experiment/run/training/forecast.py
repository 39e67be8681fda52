"""A forecast of how long a run will still take."""

from experiment.run.record import TrainingConfig


class Forecast:
    """Estimates the time left from what training and evaluation games have cost so far."""

    def __init__(self, config: TrainingConfig, opponents: int, last_games: int = 0) -> None:
        """`opponents`: how many each evaluation has; `last_games`: what follows the last evaluation."""
        self.config = config
        """A run that ends after a given time gets another with each new estimate of its games."""
        self.trained = 0.0
        """Seconds of training so far: what a run that ends after a given time goes by."""
        self._opponents = opponents
        self._last = last_games
        self._games, self._seconds = 0, 0.0

    def evaluated(self, games: int, seconds: float) -> None:
        """Record what evaluation games have cost."""
        self._games += games
        self._seconds += seconds

    def evaluation_games(self, done: int) -> int:
        """Return how many evaluation games are to come when this many episodes are done."""
        config = self.config
        # The last episode has the final one instead; the one after this episode has yet to begin.
        rounds = 0
        if config.eval_every > 0:
            rounds = (config.episodes - 1) // config.eval_every - max(0, done - 1) // config.eval_every
        final = config.final_games * self._opponents + self._last if config.final_games else 0
        return max(0, rounds) * config.eval_games * self._opponents + final

    def seconds_left(self, done: int, episodes_per_second: float) -> float | None:
        """Return the seconds left after this many episodes; None before there is anything to go by."""
        if not episodes_per_second:
            return None
        # Until there is an evaluation to go by, its games are taken to cost what training games do.
        game = self._seconds / self._games if self._games else 1 / episodes_per_second
        return self._training_left(done, episodes_per_second) + self.evaluation_games(done) * game

    def _training_left(self, done: int, episodes_per_second: float) -> float:
        if self.config.minutes:
            return max(0.0, 60 * self.config.minutes - self.trained)
        return (self.config.episodes - done) / episodes_per_second
