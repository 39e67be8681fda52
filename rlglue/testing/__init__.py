"""Checks for any agent or environment, even for a program in another language."""
