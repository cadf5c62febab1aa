"""torch._vendor: code of other projects that torch brings along."""
