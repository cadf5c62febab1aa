"""vllm.logging_utils: text that is computed when printed."""


class lazy:
    def __init__(self, factory):
        self._factory = factory

    def __str__(self):
        return str(self._factory())

    __repr__ = __str__
