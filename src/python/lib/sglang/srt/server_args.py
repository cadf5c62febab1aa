"""sglang.srt.server_args: the server's arguments, from the environment's flags."""

from _fusescope import environment

from .utils import get_device


class ServerArgs:
    """A field's value: the constructor's argument, else the environment's flag of that name, else False."""

    def __init__(self, model_path="", **given):
        self.model_path = model_path
        self.__dict__.update(given)

    @property
    def device(self):
        return self.__dict__.get("device") or get_device()

    @property
    def dtype(self):
        named = environment.dtype()
        return self.__dict__.get("dtype") or environment.answer("server_args.dtype", named)

    @property
    def tp_size(self):
        return self.__dict__.get("tp_size") or environment.answer("server_args.tp_size", environment.flag("tp_size", 1))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return environment.answer(f"server_args.{name}", environment.flag(name, False))


def get_global_server_args():
    return ServerArgs()
