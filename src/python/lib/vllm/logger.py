"""vllm.logger: prints warnings and errors to the console; lower levels are off by default."""

import logging


class _Logger(logging.Logger):
    def _once(self, level, message, args):
        seen = self.__dict__.setdefault("_seen", set())
        if (level, message, args) not in seen:
            seen.add((level, message, args))
            self.log(level, message, *args)

    def debug_once(self, message, *args, scope=None):
        self._once(logging.DEBUG, message, args)

    def info_once(self, message, *args, scope=None):
        self._once(logging.INFO, message, args)

    def warning_once(self, message, *args, scope=None):
        self._once(logging.WARNING, message, args)


def init_logger(name):
    logger = _Logger(name)
    logger.parent = logging.getLogger()
    return logger


logger = init_logger("vllm")
