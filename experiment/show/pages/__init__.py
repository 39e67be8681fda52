"""Pages for browsers: reports as single HTML files, and the page of `othello watch`."""
