"""The pages for browsers, which are reports as single HTML files and the page of `othello watch`."""
