"""torch._inductor.fx_passes: what trace functions call."""
