"""Recordings and graphs, for who looks at streams: see streams.debug."""
