"""Patterns written out by hand, with handlers that edit the graph themselves: the level below register_replacement.

Three ways to write a handler, and one pass each. What a handler does is its own: nothing is traced or checked for it.
"""

import torch
from torch._inductor.pattern_matcher import (
    Arg,
    CallFunction,
    KeywordArg,
    Match,
    MULTIPLE,
    PatternMatcherPass,
    register_graph_pattern,
    register_lowering_pattern,
)

aten = torch.ops.aten
edits = PatternMatcherPass(pass_name="edits")
examples = PatternMatcherPass(pass_name="examples")
lowerings = PatternMatcherPass(pass_name="lowerings")


# 1. A handler that edits nodes: two permutations that undo each other go.


def undo_each_other(match: Match) -> bool:
    inner, outer = match.kwargs["inner"], match.kwargs["outer"]
    return [inner[i] for i in outer] == list(range(len(inner)))


@register_graph_pattern(
    CallFunction(
        aten.permute.default, CallFunction(aten.permute.default, KeywordArg("x"), KeywordArg("inner")), KeywordArg("outer")
    ),
    extra_check=undo_each_other,
    pass_dict=edits,
)
def drop_permutations(match: Match, x, inner, outer):
    match.output_node().replace_all_uses_with(x)
    match.erase_nodes()


# 2. One that makes a node: a product with a tensor of one number becomes a product with the number.


def one_number(match: Match) -> bool:
    return isinstance(match.kwargs["number"], (int, float)) and match.kwargs["size"] == []


@register_graph_pattern(
    CallFunction(
        aten.mul.Tensor,
        KeywordArg("x"),
        CallFunction(
            aten.full.default,
            KeywordArg("size"),
            KeywordArg("number"),
            dtype=KeywordArg("dtype"),
            layout=Arg(),
            device=Arg(),
            pin_memory=Arg(),
            _users=MULTIPLE,
        ),
    ),
    extra_check=one_number,
    pass_dict=edits,
)
def multiply_by_number(match: Match, *others, x, size, number, dtype):
    node = match.output_node()
    with match.graph.inserting_before(node):
        product = match.graph.call_function(aten.mul.Tensor, (x, number))
    product.meta.update(node.meta)
    node.replace_all_uses_with(product)
    match.erase_nodes()


# 3. A function that says what to put there, traced with the metadata of the values given.


def few_rows(match: Match) -> bool:
    return match.kwargs["x"].meta["val"].shape[0] <= 4


@register_graph_pattern(
    CallFunction(aten.addmm.default, KeywordArg("bias"), KeywordArg("x"), KeywordArg("weight")),
    extra_check=few_rows,
    pass_dict=examples,
)
def by_rows(match: Match, bias, x, weight):
    def product(bias, x, weight):
        return (x.unsqueeze(-1) * weight).sum(dim=1) + bias

    match.replace_by_example(product, [bias, x, weight])


# 4. A lowering pattern: the match becomes one call of the handler, which Inductor lowers. Here it stays a call.


@register_lowering_pattern(
    CallFunction(
        aten.add.Tensor,
        CallFunction(aten.mm.default, Arg(), Arg()),
        CallFunction(aten.mm.default, Arg(), Arg()),
    ),
    pass_dict=lowerings,
)
def sum_of_products(match: Match, a, b, c, d):
    raise NotImplementedError("Inductor's lowering would be here; the matcher only puts the call")


def compiled_function(x, y, few, weight, other, bias):
    """The function whose graph this is, before the joint passes: Inductor has the first pattern itself."""
    both = x @ weight + y @ other
    there_and_back = torch.relu(both).permute(1, 0).permute(1, 0)
    turned = x.view(8, 4, 4).permute(2, 0, 1).permute(2, 0, 1)
    scaled = there_and_back * torch.full((), 0.5)
    return scaled.sin(), turned.cos(), torch.addmm(bias, few, weight), torch.addmm(bias, x, weight)
