"""torch.utils: the pytree functions."""
