"""Checks for any agent or environment, also of a program in another language."""
