"""Checks for any agent or environment, also a stranger's: `python -m rlglue.testing --agent 'COMMAND'`."""
