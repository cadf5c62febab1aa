"""torch._inductor.fx_passes: the functions that trace functions call."""
