"""sglang.srt.configs.model_config: the model's dtype and the sizes that passes read."""

import torch

from _fusescope import environment


class _HfConfig:
    """The model's config.json: values from the environment's flags, None for all others."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return environment.answer(f"hf_config.{name}", environment.flag(name))


class ModelConfig:
    def __init__(self, model_path="", **given):
        self.model_path = model_path
        self.hf_config = _HfConfig()
        self.__dict__.update(given)

    @classmethod
    def from_server_args(cls, server_args, **given):
        return cls(server_args.model_path, **given)

    @property
    def dtype(self):
        return self.__dict__.get("dtype") or environment.answer(
            "model_config.dtype", getattr(torch, environment.dtype())
        )

    @property
    def hidden_size(self):
        return self.hf_config.hidden_size
