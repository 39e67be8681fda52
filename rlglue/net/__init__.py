"""The only sockets: connections, who is there, and what may follow what."""
