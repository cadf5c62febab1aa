from .auto_functionalize import auto_functionalized, auto_functionalized_v2  # noqa: F401
