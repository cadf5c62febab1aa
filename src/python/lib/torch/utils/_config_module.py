"""A configuration module: defaults, values set by user code, and config.patch(…)."""

import functools
import types


class Section:
    """One section of a configuration (config.triton), which reads and writes the whole configuration."""

    def __init__(self, config, prefix):
        object.__setattr__(self, "_config", config)
        object.__setattr__(self, "_prefix", prefix)

    def __getattr__(self, name):
        return getattr(self._config, self._prefix + name)

    def __setattr__(self, name, value):
        setattr(self._config, self._prefix + name, value)

    def __delattr__(self, name):
        delattr(self._config, self._prefix + name)


class ConfigPatch:
    """Sets values for a `with` block or for the calls of a decorated function."""

    def __init__(self, config, changes):
        self._config, self._changes, self._before = config, changes, []

    def __enter__(self):
        self._before.append({name: getattr(self._config, name) for name in self._changes})
        for name, value in self._changes.items():
            setattr(self._config, name, value)

    def __exit__(self, *exc):
        for name, value in self._before.pop().items():
            setattr(self._config, name, value)
        return False

    def __call__(self, fn):
        @functools.wraps(fn)
        def patched(*args, **kwargs):
            with self:
                return fn(*args, **kwargs)

        return patched


class ConfigModule(types.ModuleType):
    def __init__(self, name, defaults, answers=None):
        """`answers`: name → function that computes a value each time it is read, until user code sets one."""
        super().__init__(name)
        state = self.__dict__
        state["_defaults"], state["_answers"], state["_values"] = defaults, answers or {}, {}
        state["_sections"] = {key.rpartition(".")[0] for key in defaults if "." in key}

    def is_set(self, name):
        return name in self._values

    def __getattr__(self, name):
        if name in self._values:
            return self._values[name]
        if name in self._answers:
            return self._answers[name]()
        if name in self._defaults:
            default = self._defaults[name]
            # Copies, because a list or dict may be changed in place.
            if isinstance(default, (list, dict)):
                default = self._values[name] = default.copy()
            return default
        if name in self._sections:
            return Section(self, f"{name}.")
        raise AttributeError(f"{self.__name__}.{name} does not exist")

    def __setattr__(self, name, value):
        if name.startswith("__"):
            super().__setattr__(name, value)
        elif name not in self._defaults:
            raise AttributeError(f"{self.__name__}.{name} does not exist")
        else:
            self._values[name] = value

    def __delattr__(self, name):
        self._values.pop(name, None)

    def patch(self, arg1=None, arg2=None, **kwargs):
        changes = {arg1: arg2} if isinstance(arg1, str) else {**(arg1 or {}), **kwargs}
        if not isinstance(changes, dict):
            raise AssertionError(f"expected `dict` got {type(changes)}")
        return ConfigPatch(self, changes)

    def to_dict(self):
        return {name: getattr(self, name) for name in self._defaults}

    get_config_copy = shallow_copy_dict = get_serializable_config_copy = to_dict

    def load_config(self, values):
        for name, value in values.items():
            if name in self._defaults:
                setattr(self, name, value)
