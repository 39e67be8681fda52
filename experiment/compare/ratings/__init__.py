"""Ratings from the games of many pairs, and what they cannot say."""
