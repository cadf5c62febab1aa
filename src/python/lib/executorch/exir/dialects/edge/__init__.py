"""executorch.exir.dialects.edge: operators of a dialect."""
