"""The text of the user's files: positions, syntax, module names."""
