"""The rules over thousands of games at once."""
