"""The part of SGLang that fusion passes are built of and ask about their surroundings; the rest of it is a stub."""
__version__ = "0.0.0+fusescope"
