"""executorch.exir.dialects: operators of a dialect."""
