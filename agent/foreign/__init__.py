"""Policies trained by other libraries, as players."""
