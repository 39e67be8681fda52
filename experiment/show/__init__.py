"""Presentation of results. Tables, charts and boards are described once; each output format draws them."""
