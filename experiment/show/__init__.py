"""Results as they are seen: in a terminal, in pictures, on a page, and while a run is under way."""
