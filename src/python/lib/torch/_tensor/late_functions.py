"""Functions of modules that import this package, by name: those modules put them here."""

later = {}
