"""Matches between two players of the registry: the loop that tournaments and evaluations use too."""

from experiment.match.loop import Match, Played, play_game, play_games
from experiment.match.pool import play
from experiment.match.summary import Summary

__all__ = ["Match", "Played", "Summary", "play", "play_game", "play_games"]
