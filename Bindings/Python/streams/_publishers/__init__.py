"""The sources of pipelines: publishers of known values, of values made on demand, and of values that are sent."""
