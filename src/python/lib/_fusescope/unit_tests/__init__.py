"""Unit tests of a workspace, run as pytest runs them."""
