"""The text of the user's files: places, syntax, module names."""
