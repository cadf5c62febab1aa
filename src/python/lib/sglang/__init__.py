"""The part of SGLang that fusion passes import and query; the rest is stubbed."""

__version__ = "0.0.0+fusescope"
