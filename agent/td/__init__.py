"""TD(lambda) on afterstates (Sutton 1988; Tesauro 1992). One value network plays both sides."""
