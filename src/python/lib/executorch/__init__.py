"""ExecuTorch: what passes on its graphs import. Other modules of it are stubs."""
