"""Unit tests of the pass: on small models that a test traces, and on the graph that is shown."""

import pytest
import torch
from fusions import FusedSwiGLU, manager, silu_and_mul
from pass_manager import CompilationConfig, PassManager
from torch._inductor.pattern_matcher import fwd_only


def block(x: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    gate_up = x @ up
    return silu_and_mul(gate_up, gate_up.new_empty(gate_up.shape[0], gate_up.shape[1] // 2))


def traced(model, dtype: torch.dtype = torch.float16) -> torch.fx.Graph:
    return fwd_only(model, [torch.empty(4, 8, dtype=dtype), torch.empty(8, 32, dtype=dtype)]).graph


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_a_block_becomes_one_operator(dtype: torch.dtype) -> None:
    graph = traced(block, dtype)
    manager(graph)
    assert manager.statistics.replaced == {"fused_swiglu": 1}
    calls = [n.target for n in graph.nodes if n.op == "call_function"]
    assert calls == [torch.ops.sglang.fused_swiglu.default]


def test_a_product_that_is_used_twice_stays() -> None:
    def model(x: torch.Tensor, up: torch.Tensor):
        return block(x, up), (x @ up).sum()

    def shared(x: torch.Tensor, up: torch.Tensor):
        gate_up = x @ up
        return silu_and_mul(gate_up, gate_up.new_empty(4, 16)), gate_up.sum()

    manager(traced(model))
    assert manager.statistics.replaced == {"fused_swiglu": 1}
    manager(traced(shared))
    assert manager.statistics.replaced == {"fused_swiglu": 0}


def test_every_block_of_the_shown_model(graph: torch.fx.Graph) -> None:
    ups = graph.find_nodes(op="call_function", target=torch.ops.aten.mm.default)
    manager(graph)
    print("replaced", manager.statistics.replaced)
    assert manager.statistics.replaced == {"fused_swiglu": len(ups)}


def test_a_pass_can_be_turned_off() -> None:
    off = CompilationConfig(disabled=("fused_swiglu",))
    without = PassManager(off)
    without.add(FusedSwiGLU)
    assert without.passes == []
    assert off.hash() != manager.config.hash()
