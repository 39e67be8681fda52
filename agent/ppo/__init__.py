"""Proximal policy optimisation. A policy learns from games that it has just played."""
