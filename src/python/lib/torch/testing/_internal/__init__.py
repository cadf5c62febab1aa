"""torch.testing._internal: what the unit tests of PyTorch's passes are made of."""
