"""vllm.envs: VLLM_… variables; set only by an environment flag of that name."""

from _fusescope import environment


def __getattr__(name):
    if not name.isupper():
        raise AttributeError(name)
    return environment.answer(f"envs.{name}", environment.flag(name))
