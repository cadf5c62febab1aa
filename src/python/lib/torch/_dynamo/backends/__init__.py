"""torch._dynamo.backends."""
