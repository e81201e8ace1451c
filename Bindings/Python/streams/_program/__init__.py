"""The program that uses the package: the lines that make streams, its arguments, and its exceptions."""
