"""torch.fx.passes.dialect."""
