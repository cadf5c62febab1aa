"""The layer below our torch package: one function to the tracer, with strings in both directions."""
