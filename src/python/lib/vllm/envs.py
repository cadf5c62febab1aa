"""vllm.envs: VLLM_… variables, unset unless a setting of the environment has that name."""
from _fusescope import environment


def __getattr__(name):
    if not name.isupper():
        raise AttributeError(name)
    return environment.answer(f"envs.{name}", environment.flag(name))
