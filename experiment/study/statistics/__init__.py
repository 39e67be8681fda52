"""Intervals, said once: shares of games, scores paired by opening, means over units, and differences.

Every interval of this program is at 95 % and comes from here.
"""
