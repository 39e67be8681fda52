"""A run looked at from outside while it goes on: by what it writes, in a terminal or on a page."""
