"""The core: who meets whom, what is drawn, and the loop that plays games."""
