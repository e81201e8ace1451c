"""The library: its declarations and handles, its errors and values, and what it calls in this interpreter."""
