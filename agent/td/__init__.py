"""TD(lambda) on afterstates (Sutton 1988; Tesauro 1992): one value network that plays both sides."""
