"""Bytes to messages and back, and which message may follow which. Opens no socket."""
