"""Pages for browsers: reports as single files, and the page of `othello watch`."""
