"""Broken fusions of handlers, checks, arguments and symbolic sizes. A case is as in fusions.py."""
from fusions import X32, case

HANDLER = "\nfrom torch._inductor.pattern_matcher import Arg, CallFunction, Ignored, KeywordArg, register_graph_pattern\n"

case("handler-users", ["escaping-intermediate"], X32, """
    s = torch.sigmoid(x)
    return (x * s, s.sum())
""", HANDLER + """
@register_graph_pattern(CallFunction(aten.mul.Tensor, KeywordArg("x"), CallFunction(aten.sigmoid.default, KeywordArg("x"))), pass_dict=patterns)
def silu(match, x):
    match.replace_by_example(lambda x: F.silu(x), [x])
""", False, "handler: the sigmoid has a second use")

case("handler-overload", ["wrong-overload"], X32, """
    return (torch.relu(x * 2.0),)
""", HANDLER + """
@register_graph_pattern(CallFunction(aten.relu.default, CallFunction(aten.mul.Scalar, KeywordArg("x"), KeywordArg("scale"))), pass_dict=patterns)
def scaled_relu(match, x, scale):
    match.replace_by_example(lambda x: torch.clamp(x * 2.0, min=0.0), [x])
""", True, "handler: mul.Scalar in the pattern, mul.Tensor in the graph")

case("handler-keepdim", ["arity"], X32, """
    return (x / x.sum(-1, keepdim=True),)
""", HANDLER + """
@register_graph_pattern(CallFunction(aten.div.Tensor, KeywordArg("x"), CallFunction(aten.sum.dim_IntList, KeywordArg("x"), [-1])), pass_dict=patterns)
def normalize(match, x):
    match.replace_by_example(lambda x: x * x.sum(-1, keepdim=True).reciprocal(), [x])
""", False, "handler: the pattern lacks keepdim")

case("handler-constant", ["constant"], X32, """
    return (torch.relu(torch.ops.aten.add.Tensor(x, 3.0)),)
""", HANDLER + """
@register_graph_pattern(CallFunction(aten.relu.default, CallFunction(aten.add.Tensor, KeywordArg("x"), 1.0)), pass_dict=patterns)
def shifted_relu(match, x):
    node = match.output_node()
    with match.graph.inserting_before(node):
        shifted = match.graph.call_function(aten.add.Tensor, (x, 1.0))
        new = match.graph.call_function(aten.clamp_min.default, (shifted, 0.0))
    new.meta.update(node.meta)
    shifted.meta.update(node.meta)
    node.replace_all_uses_with(new)
    match.erase_nodes()
""", True, "handler that edits the graph: another constant")

case("handler-order", ["operand-order"], {"x": "(16, 32)", "y": "(16, 32)"}, """
    return (y + torch.relu(x),)
""", HANDLER + """
@register_graph_pattern(CallFunction(aten.add.Tensor, CallFunction(aten.relu.default, KeywordArg("x")), KeywordArg("y")), pass_dict=patterns)
def relu_add(match, x, y):
    node = match.output_node()
    with match.graph.inserting_before(node):
        clamped = match.graph.call_function(aten.clamp_min.default, (x, 0.0))
        new = match.graph.call_function(aten.add.Tensor, (y, clamped))
    for n in (clamped, new):
        n.meta.update(node.meta)
    node.replace_all_uses_with(new)
    match.erase_nodes()
""", False, "handler that edits the graph: the operands in the other order")

case("handler-operator", ["wrong-operator", "root-absent"], {"x": "(16, 32)", "y": "(32, 16)"}, """
    return (torch.tanh(torch.mm(x, y)),)
""", HANDLER + """
@register_graph_pattern(CallFunction(aten.tanh.default, CallFunction(aten.bmm.default, KeywordArg("x"), KeywordArg("y"))), pass_dict=patterns)
def mm_tanh(match, x, y):
    match.replace_by_example(lambda x, y: torch.sigmoid(2.0 * torch.matmul(x, y)) * 2.0 - 1.0, [x, y])
""", False, "handler: bmm in the pattern, mm in the model")

case("check-dtype", ["extra-check"], X32, """
    return (x * torch.sigmoid(x),)
""", """
def search(x):
    return x * torch.sigmoid(x)

def replace(x):
    return F.silu(x)

def is_half(match):
    return match.kwargs["x"].meta["val"].dtype in (F16, BF16)

register_replacement(search, replace, [e(4, 8)], fwd_only, patterns, extra_check=is_half)
""", True, "silu: extra_check wants 16 bits")

case("check-size", ["extra-check"], {"x": "(16, 32)", "w": "(32, 24)"}, """
    return (torch.relu(torch.mm(x, w)),)
""", """
def search(x, w):
    return torch.relu(torch.mm(x, w))

def replace(x, w):
    return torch.clamp(torch.mm(x, w), min=0.0)

def aligned(match):
    return all(d % 16 == 0 for d in match.kwargs["w"].meta["val"].shape)

register_replacement(search, replace, [e(4, 8), e(8, 8)], fwd_only, patterns, extra_check=aligned)
""", False, "mm + relu: extra_check wants sizes that 16 divides")

case("exclusive-query", ["exclusive-argument"], {"x": "(16, 32)", "y": "(16, 32)"}, """
    h = torch.tanh(x)
    return (torch.relu(h * h) + y,)
""", """
def search(h, y):
    return torch.relu(h * y)

def replace(h, y):
    return torch.clamp(h * y, min=0.0)

register_replacement(search, replace, [e(4, 8), e(4, 8)], fwd_only, patterns, exclusive_arg_names=("h", "y"))
""", False, "an exclusive argument that has the value of another one")

case("same-example", ["repeated-argument"], {"x": "(16, 32)", "r": "(16, 32)", "w": "(32,)"}, """
    return (torch.relu((x + r) * w),)
""", """
activation = e(4, 8)

def search(x, r, w):
    return torch.relu((x + r) * w)

def replace(x, r, w):
    return torch.clamp((r + x) * w, min=0.0)

register_replacement(search, replace, [activation, activation, e(8)], fwd_only, patterns)
""", False, "one example tensor given for two arguments")

case("not-registered", ["not-registered"], X32, """
    return (x * torch.sigmoid(x),)
""", """
def search(x):
    return x * torch.sigmoid(x)

def replace(x):
    return F.silu(x)

def register():
    register_replacement(search, replace, [e(4, 8)], fwd_only, patterns)
""", False, "nothing calls the function that registers")

case("all-reduce-group", ["constant"], {"x": "(16, 32)", "w": "(32,)"}, """
    return (torch.relu(torch.ops.vllm.all_reduce.default(x, "tp:0") * w),)
""", """
GROUP = "tp:1"

def search(x, w):
    return torch.relu(torch.ops.vllm.all_reduce.default(x, GROUP) * w)

def replace(x, w):
    return torch.clamp(torch.ops.vllm.all_reduce.default(x, GROUP) * w, min=0.0)

register_replacement(search, replace, [e(4, 8), e(8)], fwd_only, patterns)
""", False, "all-reduce: another group")

case("dynamic-view", ["symbolic-shape", "retrace-error", "constant", "wrong-operator"], X32, """
    return (torch.relu(x.view(x.shape[0], 4, 8)).amax(-1),)
""", """
def search(x):
    return torch.relu(x.view(4, 4, 8)).amax(-1)

def replace(x):
    return torch.clamp(x.unflatten(-1, (4, 8)), min=0.0).amax(-1)

register_replacement(search, replace, [e(4, 32)], fwd_only, patterns)
""", False, "a dynamic number of rows, written out in the pattern", dynamic={"x": [0]})

case("dynamic-mean", ["symbolic-shape", "constant"], X32, """
    return (torch.relu(x.sum(0) / x.shape[0]),)
""", """
def search(x):
    return torch.relu(x.sum(0) / 4)

def replace(x):
    return torch.clamp(x.sum(0) / 4, min=0.0)

register_replacement(search, replace, [e(4, 32)], fwd_only, patterns)
""", False, "a division by the dynamic number of rows", dynamic={"x": [0]})

case("dynamic-eps", ["constant"], {"x": "(16, 32)", "w": "(32,)"}, """
    return (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * w,)
""", """
EPS = 1e-6

def search(x, w):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + EPS) * w

def replace(x, w):
    return F.rms_norm(x, (x.shape[-1],), w, EPS)

register_replacement(search, replace, [e(5, 16), e(16)], fwd_only, patterns)
""", False, "RMSNorm on dynamic rows: another epsilon", dynamic={"x": [0]})

case("output-order", ["wrong-operator"], {"x": "(16, 32)", "y": "(16, 32)"}, """
    h = x + y
    return (torch.relu(h), torch.tanh(h))
""", """
def search(x, y):
    h = y * x
    return torch.tanh(h), torch.relu(h)

def replace(x, y):
    h = x * y
    return torch.tanh(h), torch.clamp(h, min=0.0)

register_replacement(search, replace, [e(4, 8), e(4, 8)], fwd_only, patterns)
""", False, "two outputs of a product, a sum in the model")

case("bound-to-none", ["constant", "arity", "missing-node", "wrong-operator"], {"x": "(16, 32)"}, """
    return (torch.relu(x.clamp(min=-1.0)),)
""", """
def search(x):
    return torch.relu(x.clamp(-1.0, 1.0))

def replace(x):
    return torch.clamp(x, 0.0, 1.0)

register_replacement(search, replace, [e(4, 8)], fwd_only, patterns)
""", False, "clamp: the model has a lower bound alone")
