"""Show results. Tables, charts and boards are described once, and each output format draws them."""
