"""The floor under our torch package: one function to the tracer, strings in and strings out."""
