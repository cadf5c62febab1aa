"""executorch.exir.dialects.backend: operators of a dialect."""
