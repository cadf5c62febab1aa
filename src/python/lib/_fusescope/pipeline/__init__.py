"""The passes that the user's files define, in the order in which they run."""
