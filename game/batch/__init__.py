"""The rules for thousands of games at once."""
