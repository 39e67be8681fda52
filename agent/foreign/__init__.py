"""Policies that other libraries have trained, as players."""
