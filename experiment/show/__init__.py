"""Show results. Tables, charts and boards are described once and drawn in each output format."""
