"""executorch.exir.pass_infra: the parts of pass_base under earlier names."""
