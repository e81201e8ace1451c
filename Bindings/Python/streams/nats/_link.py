"""A connection, as what is made of it sees it."""

from __future__ import annotations

from .._native.handle import Closing


class Link(Closing):
    """A handle of a connection. What is made of a connection keeps this object, and so the connection."""
