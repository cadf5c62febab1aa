"""Declares the operators of this project's catalogue on a real PyTorch: one version of each."""

import pathlib
import re

import torch

root = pathlib.Path(__file__).parents[2]
SCHEMA = r"(?:(\d{4}-\d\d)\.\.(\d{4}-\d\d) )?\b(\w+)::(\w+\(.*?\) -> [^'`\n]*)"


def schemas(namespaces, at):
    """(namespace, schema) pairs: undated ones first, then those of month `at` ("2025-09"), then the newest first."""
    found = []
    for file in sorted([*root.glob("src/ops/**/*.ts"), root / "src/ops/schema/libraries.txt"]):
        for since, until, ns, schema in re.findall(SCHEMA, file.read_text()):
            if ns in namespaces:
                found.append((not since, at is not None and since <= at <= until, ns, schema.strip()))
    return [(ns, schema) for *_, ns, schema in sorted(found, key=lambda f: (not f[0], not f[1]))]


def declare(libraries, at=None, skip=lambda schema: False):
    """Defines each operator once in libraries[ns]; one that returns nothing gets a fake implementation."""
    known = set()
    for ns, schema in schemas(libraries, at):
        name = f"{ns}::{schema.split('(')[0]}"
        if name in known or skip(schema):
            continue
        try:
            libraries[ns].define(schema)
        except RuntimeError:
            continue  # a type of the library's own, or declared elsewhere
        known.add(name)
        if schema.endswith("-> ()"):
            torch.library.register_fake(name, lambda *args, **kwargs: None, lib=libraries[ns])
