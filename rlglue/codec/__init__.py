"""Bytes to messages and back. Opens no socket."""
