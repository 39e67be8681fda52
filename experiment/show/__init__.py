"""Results as they are seen: tables, charts and boards are described once, and each medium draws them."""
