// Where the platform has a module named Combine, `import Combine` means that one: nothing is added to it.
