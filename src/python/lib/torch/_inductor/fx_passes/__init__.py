"""torch._inductor.fx_passes: the functions that trace functions call."""

from _fusescope import partial_modules as _partial


def names_of(module):
    """The `__getattr__` of a module of passes: what it imports from the pattern matcher (`get_arg_value`), else a stub."""
    other = _partial.of_pytorch(module, listed=False)

    def missing_name(name):
        from torch._inductor import pattern_matcher
        from torch._module_names import NAMES

        known = name in vars(pattern_matcher) and name in NAMES[pattern_matcher.__name__].split()
        return vars(pattern_matcher)[name] if known else other(name)

    return missing_name
