"""The shown graph as torch.fx shows it."""
