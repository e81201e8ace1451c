"""Schedulers, and tools that need only a scheduler."""
