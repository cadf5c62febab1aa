"""packaging: version numbers, by which pass files choose between releases of torch and vLLM."""
