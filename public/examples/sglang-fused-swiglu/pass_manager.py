"""Passes by name, each of which can be turned off, and what each of them did."""

import hashlib
import json
import time
from dataclasses import dataclass, field

import torch
from torch._inductor.pattern_matcher import PatternMatcherPass


@dataclass
class CompilationConfig:
    """Its hash tells compiled graphs apart: another setting must not find the graphs of this one in a cache."""

    disabled: tuple[str, ...] = ()

    def hash(self) -> str:
        return hashlib.sha256(json.dumps({"disabled": sorted(self.disabled)}).encode()).hexdigest()[:10]


@dataclass
class Statistics:
    replaced: dict[str, int] = field(default_factory=dict)
    milliseconds: dict[str, float] = field(default_factory=dict)


class SGLangInductorPass:
    """One fusion: fills its `patterns` when it is made."""

    name = ""

    def __init__(self) -> None:
        self.patterns = PatternMatcherPass(pass_name=self.name)
        self.register()

    def register(self) -> None:
        raise NotImplementedError


class PassManager:
    def __init__(self, config: CompilationConfig) -> None:
        self.config = config
        self.statistics = Statistics()
        self.passes: list[SGLangInductorPass] = []

    def add(self, pass_class: type[SGLangInductorPass]) -> None:
        if pass_class.name not in self.config.disabled:
            self.passes.append(pass_class())

    def __call__(self, graph: torch.fx.Graph) -> None:
        for pass_ in self.passes:
            started = time.perf_counter()
            self.statistics.replaced[pass_.name] = pass_.patterns.apply(graph)
            self.statistics.milliseconds[pass_.name] = 1000 * (time.perf_counter() - started)
