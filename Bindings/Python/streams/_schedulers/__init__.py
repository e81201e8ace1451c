"""Schedulers, and what needs no more than them."""
