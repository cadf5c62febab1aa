"""compressed_tensors: what vLLM's pass files import of it."""
