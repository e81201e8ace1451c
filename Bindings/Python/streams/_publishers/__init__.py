"""What begins a pipeline: publishers of what is there, of what is made on demand, and of what is sent."""
