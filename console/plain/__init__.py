"""A game in lines of text: for a pipe, a script, a screen reader, a terminal that cannot do more."""
