"""Patterns and matches as torch._inductor.pattern_matcher shows them."""
