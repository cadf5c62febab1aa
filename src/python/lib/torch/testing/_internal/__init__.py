"""torch.testing._internal: base classes of the unit tests of PyTorch's passes."""
