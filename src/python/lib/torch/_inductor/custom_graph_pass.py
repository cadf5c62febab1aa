import hashlib
import inspect

from .pattern_matcher import PatternMatcherPass


class CustomGraphPass:
    made = set()  # classes instantiated in this run

    def __new__(cls, *args, **kwargs):
        CustomGraphPass.made.update(cls.__mro__)
        made = super().__new__(cls)
        made._made_after = PatternMatcherPass.made
        return made

    def __call__(self, graph):
        raise NotImplementedError

    def uuid(self):
        return None


CustomInferenceAwareGraphPass = CustomGraphPass


def get_hash_for_files(paths, extra=""):
    return hashlib.sha256(extra.encode()).digest()


def _source(obj):
    return inspect.getsource(obj)
