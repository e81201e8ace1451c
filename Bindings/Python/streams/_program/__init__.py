"""The program that uses the package: where it makes streams, the numbers that it gives, and what it raises."""
