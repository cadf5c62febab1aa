"""Cases of torch.fx's passes on graphs, written for Fusescope: id, model (traced to the graph), pass (`run(gm)`).

A pass file is run by PyTorch (record.py) on the traced model, and by Fusescope (recorded.test.ts) on the graph's text.
"""

PRELUDE = '''import operator
import torch
import torch.nn.functional as F
from torch.fx import symbolic_trace
from torch.fx.subgraph_rewriter import replace_pattern, replace_pattern_with_filters
from torch.fx.passes.utils.matcher_utils import SubgraphMatcher
aten = torch.ops.aten
def shown(value):
    if isinstance(value, torch.fx.Node):
        return value.name
    if isinstance(value, dict):
        return "{" + ", ".join(f"{shown(k)}: {shown(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(shown, value)) + "]"
    return repr(value)
def tell(matches):
    print(len(matches))
    for m in matches:
        if hasattr(m, "anchors"):
            print(shown(m.anchors), shown(m.nodes_map), shown(m.placeholder_nodes), shown(m.returning_nodes))
        else:
            print(shown(m.anchor), shown(m.nodes_map), shown(getattr(m, "replacements", [])))
'''

TAIL = '''
def _pass(graph):
    try:
        run(graph.owning_module)
    except Exception as e:
        print(type(e).__name__, str(e).split("\\n")[0])
torch._inductor.config.post_grad_custom_pre_pass = _pass
'''

CASES = []


def case(id, model, py):
    CASES.append((id, model, py))


def rewrite(id, model, pattern, replacement, extra=""):
    """A case of replace_pattern(gm, pattern, replacement)."""
    case(id, model, f"{pattern}\n{replacement}\n{extra}\ndef run(gm):\n    tell(replace_pattern(gm, pattern, replacement))\n    gm.graph.lint()")


def match(id, model, pattern, options=""):
    """A case of SubgraphMatcher(pattern, **options)."""
    case(id, model, f"{pattern}\ndef run(gm):\n    tell(SubgraphMatcher(symbolic_trace(pattern).graph{options}).match(gm.graph))")


TWICE = "def model(x):\n    v = torch.neg(x) + torch.relu(x)\n    return torch.add(v, v)"
SUM = "def pattern(x):\n    return torch.neg(x) + torch.relu(x)"
rewrite("same-pattern", TWICE, SUM, "replacement = pattern")
rewrite("one-operator", "def model(x):\n    v = torch.neg(x)\n    return torch.add(v, v)", "def pattern(a):\n    return torch.neg(a)", "def replacement(a):\n    return torch.relu(a)")
rewrite("diamond", TWICE, SUM, "def replacement(x):\n    return torch.relu(x)")
rewrite("two-matches", "def model(x, a, b):\n    m = torch.cat([a, b]).sum()\n    n = torch.cat([a, b]).sum()\n    return x + torch.max(m) + torch.max(n)",
        "def pattern(a, b):\n    return torch.cat([a, b]).sum()", "def replacement(a, b):\n    return torch.stack([a, b])")
rewrite("argument-order", "def model(x, y):\n    return torch.mm(y, x) - torch.mm(x, y)", "def pattern(x, y):\n    return torch.mm(x, y)", "def replacement(x, y):\n    return torch.mm(y, x)")
rewrite("whole-graph", "def model(x):\n    a = torch.neg(x)\n    return torch.add(a, a)", "def pattern(x):\n    a = torch.neg(x)\n    return torch.add(a, a)",
        "def replacement(x):\n    a = torch.sigmoid(x)\n    return torch.cat([a, a])")
rewrite("users-outside-of-output", "def model(x):\n    y = torch.relu(x)\n    return torch.neg(y) - y", "def pattern(x):\n    return torch.relu(x)", "def replacement(x):\n    return torch.sigmoid(x)")
rewrite("users-outside-inside", "def model(x):\n    y = torch.neg(x)\n    return torch.relu(y), y", "def pattern(x):\n    return torch.relu(torch.neg(x))", "def replacement(x):\n    return torch.tanh(x)")
rewrite("shared-inner-node", "def model(x, a, b, c):\n    m = torch.cat([a, b])\n    n = torch.cat([x, c])\n    return torch.addmm(c, m, n.t()), torch.addmm(c, m, n.t())",
        "def pattern(x, a, b, c):\n    m = torch.cat([a, b])\n    n = torch.cat([x, c])\n    return torch.addmm(c, m, n.t())", "def replacement(x, a, b, c):\n    return torch.cat([x, a, b])")
rewrite("placeholder-is-call", "def model(x):\n    x = x + 3\n    return torch.sigmoid(x.dequantize()).to(torch.float16)", "def pattern(x):\n    return torch.sigmoid(x.dequantize()).to(torch.float16)", "def replacement(x):\n    return x")
rewrite("placeholder-is-literal", "def model(x):\n    return torch.add(x, 3) * torch.add(x, x)", "def pattern(x, y):\n    return torch.add(x, y)", "def replacement(x, y):\n    return torch.sub(x, y)")
rewrite("literal-equal", "def model(x):\n    return (x + 1) * 2", "def pattern(x):\n    return x + 1", "def replacement(x):\n    return x - 1")
rewrite("literal-other", "def model(x):\n    return (x + 1) * 2", "def pattern(x):\n    return x + 2", "def replacement(x):\n    return x - 1")
rewrite("literal-type", "def model(x):\n    return (x + 1) * True", "def pattern(x):\n    return x + 1.0", "def replacement(x):\n    return x")
rewrite("literal-bool-is-no-int", "def model(x):\n    return x * True", "def pattern(x):\n    return x * 1", "def replacement(x):\n    return x")
rewrite("literal-none", "def model(x):\n    return torch.clamp(x, None, 1.0)", "def pattern(x):\n    return torch.clamp(x, None, 1.0)", "def replacement(x):\n    return x * 1.0")
rewrite("literal-dtype", "def model(x):\n    return x.to(torch.float16) + x.to(torch.bfloat16)", "def pattern(x):\n    return x.to(torch.bfloat16)", "def replacement(x):\n    return x.half()")
rewrite("literal-is-node", "def model(x, y):\n    return x + y", "def pattern(x):\n    return x + 1", "def replacement(x):\n    return x")
rewrite("kwargs-same-order", "def model(x):\n    return torch.sum(x, dim=1, keepdim=True)", "def pattern(x):\n    return torch.sum(x, dim=1, keepdim=True)", "def replacement(x):\n    return torch.mean(x, dim=1)")
rewrite("kwargs-other-order", "def model(x):\n    return torch.sum(x, dim=1, keepdim=True)", "def pattern(x):\n    return torch.sum(x, keepdim=True, dim=1)", "def replacement(x):\n    return torch.mean(x, dim=1)")
rewrite("kwarg-against-arg", "def model(x):\n    return torch.sum(x, dim=1)", "def pattern(x):\n    return torch.sum(x, 1)", "def replacement(x):\n    return torch.mean(x, dim=1)")
rewrite("overload-defaults", "def model(x, y):\n    return aten.add.Tensor(x, y), aten.add.Tensor(y, x, alpha=1)", "def pattern(x, y):\n    return aten.add.Tensor(x, y, alpha=1)", "def replacement(x, y):\n    return aten.mul.Tensor(x, y)")
rewrite("overload-kwarg-by-schema", "def model(x):\n    return aten.sum.dim_IntList(x, [1], True, dtype=torch.float32)", "def pattern(x):\n    return aten.sum.dim_IntList(x, [1], keepdim=True, dtype=torch.float32)", "def replacement(x):\n    return aten.mean.dim(x, [1])")
rewrite("overload-other-default", "def model(x, y):\n    return aten.add.Tensor(x, y, alpha=2)", "def pattern(x, y):\n    return aten.add.Tensor(x, y)", "def replacement(x, y):\n    return aten.mul.Tensor(x, y)")
rewrite("list-lengths", "def model(x, y):\n    return torch.cat([x, y]), torch.cat([x, y, x])", "def pattern(x, y):\n    return torch.cat([x, y])", "def replacement(x, y):\n    return torch.stack([x, y])")
rewrite("tuple-against-list", "def model(x, y):\n    return torch.cat((x, y), 1)", "def pattern(x, y):\n    return torch.cat([x, y], 1)", "def replacement(x, y):\n    return torch.stack([x, y])")
rewrite("nested-lists", "def model(x):\n    return x[:, 1:3], x[:, 1:4]", "def pattern(x):\n    return x[:, 1:3]", "def replacement(x):\n    return x.narrow(1, 1, 2)")
rewrite("slice-differs", "def model(x):\n    return x[1:4]", "def pattern(x):\n    return x[1:3]", "def replacement(x):\n    return x")
rewrite("method-against-function", "def model(x):\n    return x.relu(), torch.relu(x)", "def pattern(x):\n    return x.relu()", "def replacement(x):\n    return x.sigmoid()")
rewrite("aliases-differ", "def model(x, y):\n    return torch.mul(x, y), x * y, torch.multiply(x, y)", "def pattern(x, y):\n    return x * y", "def replacement(x, y):\n    return x + y")
rewrite("functional-defaults", "def model(x):\n    return F.relu(x), F.relu(x, inplace=False), F.relu(x, True)", "def pattern(x):\n    return F.relu(x)", "def replacement(x):\n    return F.gelu(x)")
rewrite("no-commutativity", "def model(x, y):\n    return torch.neg(x) + y", "def pattern(x, y):\n    return y + torch.neg(x)", "def replacement(x, y):\n    return x - y")
rewrite("same-placeholder-twice", "def model(x, y):\n    return torch.add(x, y), torch.add(x, x)", "def pattern(x):\n    return torch.add(x, x)", "def replacement(x):\n    return x * 2")
rewrite("two-placeholders-one-node", "def model(x):\n    return torch.add(x, x)", "def pattern(x, y):\n    return torch.add(x, y)", "def replacement(x, y):\n    return x * y")
rewrite("two-returns", "def model(x):\n    a = torch.neg(x)\n    return torch.relu(a), torch.exp(a)", "def pattern(x):\n    a = torch.neg(x)\n    return torch.relu(a), torch.exp(a)",
        "def replacement(x):\n    b = torch.tanh(x)\n    return b + 1, b + 2")
rewrite("two-returns-one-used", "def model(x):\n    a, b = torch.split(x, 2)\n    return a * b", "def pattern(x):\n    s = torch.split(x, 2)\n    return s[0], s[1]", "def replacement(x):\n    c = torch.chunk(x, 2)\n    return c[0], c[1]")
rewrite("returns-inner-node", "def model(x):\n    a = torch.neg(x)\n    return torch.relu(a), a", "def pattern(x):\n    a = torch.neg(x)\n    return torch.relu(a), a", "def replacement(x):\n    return torch.tanh(x), torch.exp(x)")
rewrite("return-counts-differ", "def model(x):\n    a = torch.neg(x)\n    return torch.relu(a), torch.exp(a)", "def pattern(x):\n    a = torch.neg(x)\n    return torch.relu(a), torch.exp(a)", "def replacement(x):\n    return torch.tanh(x)")
rewrite("returns-apart", "def model(x, y):\n    return torch.relu(x), torch.exp(y)", "def pattern(x, y):\n    return torch.relu(x), torch.exp(y)", "def replacement(x, y):\n    return torch.tanh(x), torch.tanh(y)")
rewrite("anchor-without-candidate", "def model(x):\n    return torch.relu(x)", "def pattern(x):\n    return torch.relu(x), torch.exp(x)", "def replacement(x):\n    return x, x")
rewrite("overlapping-chain", "def model(x):\n    return torch.relu(torch.relu(torch.relu(torch.relu(x))))", "def pattern(x):\n    return torch.relu(torch.relu(x))", "def replacement(x):\n    return torch.sigmoid(x)")
rewrite("overlapping-odd-chain", "def model(x):\n    return torch.relu(torch.relu(torch.relu(x)))", "def pattern(x):\n    return torch.relu(torch.relu(x))", "def replacement(x):\n    return torch.sigmoid(x)")
rewrite("matches-that-follow", "def model(x):\n    return torch.neg(torch.neg(torch.neg(x)))", "def pattern(x):\n    return torch.neg(x)", "def replacement(x):\n    return torch.exp(torch.abs(x))")
rewrite("would-form-a-cycle", "def model(x):\n    a = torch.neg(x)\n    b = torch.exp(a)\n    return torch.add(a, b)", "def pattern(x, b):\n    a = torch.neg(x)\n    return torch.add(a, b), a", "def replacement(x, b):\n    return x * b, x")
rewrite("inputs-counted", "def model(x, y):\n    return x + y", "def pattern(x, y):\n    return x + y", "def replacement(x):\n    return x * 2")
rewrite("unused-placeholder", "def model(x, y):\n    return x + 1", "def pattern(x, y):\n    return x + 1", "def replacement(x, y):\n    return x")
rewrite("dead-code-in-pattern", "def model(x):\n    return x + 1", "def pattern(x):\n    torch.relu(x)\n    return x + 1", "def replacement(x):\n    return x")
rewrite("returns-placeholder", "def model(x):\n    return torch.relu(x) * 2", "def pattern(x):\n    return torch.relu(x), x", "def replacement(x):\n    return torch.exp(x), x")
rewrite("replacement-is-input", "def model(x):\n    return torch.relu(torch.neg(x)) * 2", "def pattern(x):\n    return torch.relu(torch.neg(x))", "def replacement(x):\n    return x")
rewrite("names-of-new-nodes", "def model(x):\n    mul = torch.exp(x)\n    y = torch.neg(x)\n    mul_1 = y * 2\n    return mul, mul_1 * 3", "def pattern(x):\n    return torch.neg(x)", "def replacement(x):\n    return (x * 2) * x.mul(3)")
rewrite("inserted-before-first-user", "def model(x, y):\n    a = torch.neg(x)\n    b = torch.exp(y)\n    c = torch.tanh(b)\n    return torch.add(c, a), a", "def pattern(x):\n    return torch.neg(x)", "def replacement(x):\n    return torch.abs(x)")
rewrite("literal-input-to-replacement", "def model(x):\n    return torch.full_like(x, 2.5)", "def pattern(x, v):\n    return torch.full_like(x, v)", "def replacement(x, v):\n    return torch.ones_like(x) * v")
rewrite("list-input", "def model(x):\n    return x.view(2, -1), x.reshape([4, 4])", "def pattern(x, shape):\n    return x.reshape(shape)", "def replacement(x, shape):\n    return x.view(shape)")
rewrite("pattern-with-default", "def model(x):\n    return x * 2", "def pattern(x, y=2):\n    return x * y", "def replacement(x, y):\n    return x + y")
rewrite("deep-pattern", "def model(x):\n    for _ in range(60):\n        x = torch.relu(x) + 1\n    return x", "def pattern(x):\n    for _ in range(60):\n        x = torch.relu(x) + 1\n    return x", "def replacement(x):\n    return torch.tanh(x)")
rewrite("many-matches", "def model(x):\n    for i in range(12):\n        x = torch.relu(x + i)\n    return x", "def pattern(x, i):\n    return torch.relu(x + i)", "def replacement(x, i):\n    return torch.sigmoid(x - i)")
rewrite("getattr-shape", "def model(x, y):\n    return x.view(5, y.shape[0])", "def pattern(x, y, n):\n    return x.view(n, y.shape[0])", "def replacement(x, y, n):\n    return x.reshape(n, y.size(0))")

MATCH = "def model(x):\n    return (x + 1) * torch.relu(x + 2)"
match("literals-kept", MATCH, "def pattern(x):\n    return x + 3")
match("literals-ignored", MATCH, "def pattern(x):\n    return x + 3", ", ignore_literals=True")
match("literals-ignored-for-nodes", "def model(x, y):\n    return x + y, x + 4", "def pattern(x):\n    return x + 3", ", ignore_literals=True")
match("overlaps-kept", "def model(x):\n    return torch.relu(torch.relu(torch.relu(x)))", "def pattern(x):\n    return torch.relu(torch.relu(x))", ", remove_overlapping_matches=False")
match("output-matched", "def model(x):\n    return torch.relu(torch.neg(x))", "def pattern(x):\n    return torch.relu(x)", ", match_output=True")
match("output-and-inputs-matched", "def model(x):\n    return torch.relu(torch.neg(x))", "def pattern(x):\n    return torch.relu(x)", ", match_output=True, match_placeholder=True")
match("inputs-matched", "def model(x):\n    return torch.relu(x), torch.relu(torch.neg(x))", "def pattern(x):\n    return torch.relu(x)", ", match_placeholder=True")
match("nested-sizes", "def model(x, y):\n    return aten.view(x, [5, y.shape[0]])", "def pattern(x, y, z):\n    return aten.view(x, [z, y.shape[0]])")
match("list-shapes-differ", "def model(x, y):\n    return aten._reshape_alias_copy.default(x, [1, y.shape[0]], [y.shape[1], y.shape[1]])",
      "def pattern(x, y, b):\n    return aten._reshape_alias_copy.default(x, [b, y.shape[0], y.shape[1]], [y.shape[1]])")
match("optional-arguments", "def model(x):\n    return aten.max_pool2d_with_indices.default(x, [2, 2], [1, 1]), aten.max_pool2d_with_indices.default(x, [2, 2], [2, 2], [1, 1])",
      "def pattern(x, k, s, p, d):\n    return aten.max_pool2d_with_indices.default(x, k, s, p, d)")
match("all-combinations", "def model(x):\n    return torch.relu(x), torch.relu(x), torch.exp(x)", "def pattern(x):\n    return torch.relu(x), torch.exp(x)", ", remove_overlapping_matches=False")
match("empty-graph-of-sinks", "def model(x):\n    return torch.relu(x)", "def pattern(x):\n    a = torch.relu(x)\n    return a, torch.exp(a)")

case("filters", "def model(x):\n    return torch.add(x, 1), torch.add(x, 2), torch.add(x, 3)", '''def pattern(x, n):
    return torch.add(x, n)
def replacement(x, n):
    return torch.sub(x, n)
def even(match, original, pattern):
    print(shown(match.nodes_map), len(original.nodes), len(pattern.nodes))
    return match.placeholder_nodes[1] % 2 == 0
def run(gm):
    tell(replace_pattern_with_filters(gm, pattern, replacement, [even]))''')
case("ignore-literals", MATCH, '''def pattern(x):
    return x + 7
def replacement(x):
    return x - 7
def run(gm):
    tell(replace_pattern_with_filters(gm, pattern, replacement, ignore_literals=True))''')
case("callback", "def model(x):\n    return torch.softmax(x, 0) + torch.softmax(x, 1)", '''def pattern(x, d):
    return torch.softmax(x, d)
def callback(match, original, pattern):
    d = match.placeholder_nodes[1]
    graph = torch.fx.Graph()
    a, b = graph.placeholder("a"), graph.placeholder("b")
    made = graph.call_function(torch.log_softmax, (a, d + 10))
    graph.output(graph.call_method("exp", (made,)))
    return graph
def run(gm):
    tell(replace_pattern_with_filters(gm, pattern, replacement_callback=callback))''')
case("neither-replacement-nor-callback", "def model(x):\n    return torch.relu(x)", '''def pattern(x):
    return torch.relu(x)
def run(gm):
    tell(replace_pattern_with_filters(gm, pattern))''')
case("node-name-match", "def model(x):\n    return torch.relu(x) + torch.neg(x)", '''def pattern(x):
    return torch.exp(x)
def replacement(x):
    return torch.tanh(x)
def run(gm):
    tell(replace_pattern_with_filters(gm, pattern, replacement, node_name_match="neg"))''')
case("graphs-as-patterns", "def model(x):\n    return torch.relu(x) * 2", '''pattern = torch.fx.Graph()
pattern.output(pattern.call_function(torch.relu, (pattern.placeholder("p"),)))
def replacement(x):
    return torch.sigmoid(x)
def run(gm):
    tell(replace_pattern_with_filters(gm, pattern, symbolic_trace(replacement)))''')
case("copied-graphs", TWICE, '''import copy
def run(gm):
    made = copy.deepcopy(gm.graph)
    print(made is gm.graph, made)
    other, values = torch.fx.Graph(), {}
    print(shown(other.graph_copy(gm.graph, values)), shown(values))
    print(other)''')
case("insert-points", "def model(x):\n    a = torch.neg(x)\n    return torch.exp(a)", '''def run(gm):
    graph = gm.graph
    x, a, b, out = graph.nodes
    with graph.inserting_after(a):
        c = graph.call_function(torch.relu, (a,))
        d = graph.call_method("abs", (a,))
    with graph.inserting_before(out):
        e = torch.fx.Proxy(b) * 2 + 1
    out.replace_input_with(b, e.node)
    b.args = (torch.fx.Proxy(c).node,)
    graph.inserting_before(b)
    graph.call_function(operator.add, (a, d))
    print(graph)
    print(graph.eliminate_dead_code())''')
case("transformer", "def model(x, y=3.0):\n    return torch.relu(x).view(-1) + y", '''class Swap(torch.fx.Transformer):
    def call_function(self, target, args, kwargs):
        made = super().call_function(torch.sigmoid if target == torch.relu else target, args, kwargs)
        return made * 2 if target == torch.relu else made
    def call_method(self, target, args, kwargs):
        return super().call_method("reshape", args, kwargs)
def run(gm):
    gm.graph = Swap(gm).transform().graph
    gm.recompile()''')
case("legalize", "def model(x):\n    a = torch.neg(x)\n    b = torch.exp(a)\n    c = torch.tanh(x)\n    return b + c", '''from torch.fx.passes.tools_common import legalize_graph
def run(gm):
    x, a, b, c, d, out = gm.graph.nodes
    b.prepend(c)
    x.append(d)
    legalize_graph(gm)
    print(gm.graph)
    print(gm.code)''')
case("fuse-partitions", "def model(x):\n    a = torch.neg(x)\n    b = torch.exp(a)\n    c = torch.tanh(b)\n    return b + c", '''from torch.fx.passes.utils.fuser_utils import fuse_by_partitions, topo_sort, validate_partition
def run(gm):
    x, a, b, c, d, out = gm.graph.nodes
    print(validate_partition([a, c]), validate_partition([a, b]), shown(topo_sort([d, c, b])))
    fuse_by_partitions(gm, [{a: None, b: None}])
    print(gm.fused_0.graph)
    print(gm.graph)
    print([n for n, _ in gm.named_children()])''')
case("code-and-text", "def model(x, w=None):\n    y = F.dropout(x, 0.25)\n    return {'a': [y[:, 1], -y], 'b': (w, y.shape)}", '''def run(gm):
    print(gm.code)
    print(shown([n.format_node() for n in gm.graph.nodes]))''')
case("node-order-and-users", TWICE, '''def run(gm):
    x, neg, relu, add, add_1, out = gm.graph.nodes
    print(neg < relu, add > out, shown(list(x.users)), shown(add_1.all_input_nodes), shown(add.next), shown(x.next.next))
    print(shown(add.replace_all_uses_with(neg)), shown(neg.users))
    try:
        gm.graph.erase_node(neg)
    except RuntimeError as e:
        print(str(e).split(" users")[0])
    gm.graph.erase_node(add)
    print(add._erased, len(gm.graph.nodes))''')
case("normalized-arguments", "def model(x):\n    return aten.sum.dim_IntList(x, [1], True)", '''def run(gm):
    node = list(gm.graph.nodes)[1]
    for only in (False, True):
        made = node.normalized_arguments(gm, normalize_to_only_use_kwargs=only)
        print(shown(made.args), shown(made.kwargs))''')
case("tracer-leaves", "def model(x):\n    return x", '''class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
        self.bias = torch.nn.Parameter(torch.zeros(4))
        self.register_buffer("scale", torch.ones(4))
    def forward(self, x):
        return (self.inner(x) + self.bias) * self.scale
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList([Block(), Block()])
        self.drop = torch.nn.Dropout(0.1)
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.drop(x)
class Whole(torch.fx.Tracer):
    def is_leaf_module(self, m, name):
        return isinstance(m, Block) or super().is_leaf_module(m, name)
def run(gm):
    net = Net()
    print(torch.fx.Tracer().trace(net))
    print(Whole().trace(net))
    print([n for n, _ in net.named_parameters()], [n for n, _ in net.named_buffers()])
    print(list(net.state_dict()), net)
    print(torch.fx.GraphModule(net, Whole().trace(net)))''')
case("concrete-args", "def model(x):\n    return x", '''def f(x, flag, n=2, *rest, **named):
    return x * n if flag else -x
def g(x, flag):
    return x["a"] + x["b"] if flag else x["a"]
def run(gm):
    print(symbolic_trace(f, {"flag": True}).graph)
    print(symbolic_trace(f, concrete_args={"flag": False, "n": 3}).graph)
    print(symbolic_trace(g, {"x": {"a": torch.fx.PH, "b": torch.fx.PH}, "flag": None}).graph)''')
case("wraps", "def model(x):\n    return x", '''import math
@torch.fx.wrap
def mine(a, b):
    return a
torch.fx.wrap("len")
def f(x):
    return mine(x, 2) + len(x) + math.sqrt(x) + math.sqrt(4.0)
def run(gm):
    made = symbolic_trace(f)
    print(made.graph)
    print([n.meta.get("is_wrapped") for n in made.graph.nodes])''')
case("trace-errors", "def model(x):\n    return x", '''def branch(x):
    return x if x.sum() > 0 else -x
def loop(x):
    return [v for v in x]
def size(x):
    return range(len(x))
def run(gm):
    for f in (branch, loop, size):
        try:
            symbolic_trace(f)
        except Exception as e:
            print(type(e).__module__, type(e).__name__, str(e)[:60])''')
case("functions-of-python", "def model(x):\n    return x", '''def f(x, w, b):
    y = F.layer_norm(x, (4,), w, b)
    y = F.softmax(F.linear(y, w), dim=-1) + F.conv2d(x, w) + F.max_pool2d(x, 2) + F.batch_norm(x, w, b)
    y = torch.layer_norm(y, (4,)) + torch.einsum("ij,jk->ik", x, w) + F.pad(x, (1, 1)) + F.embedding(x, w)
    y = y + F.cross_entropy(x, w) + torch.where(x > 0, x, 0) + F.gelu(x, approximate="tanh") + F.scaled_dot_product_attention(x, w, b)
    y = y + F.interpolate(x, scale_factor=2) + torch.norm(x, dim=1) + F.normalize(x) + F.leaky_relu(x, 0.2) + torch.special.expit(x)
    return y.to(torch.float16).contiguous().transpose(0, 1)[..., None, 1:], abs(y), y ** 2, 2 ** y, 3 / y, y // 2, y % 2, y @ w, y << 1
def run(gm):
    print(symbolic_trace(f).graph)''')
case("interpreter", TWICE, '''class Log(torch.fx.Interpreter):
    def run_node(self, n):
        made = super().run_node(n)
        print(n.op, n.name, tuple(made.shape))
        return made
def run(gm):
    print(tuple(Log(gm).run(torch.empty(2, 3)).shape), tuple(gm(torch.empty(4)).shape))
    from torch.fx.passes.shape_prop import ShapeProp
    ShapeProp(gm).propagate(torch.empty(2, 5))
    print([tuple(n.meta["tensor_meta"].shape) for n in gm.graph.nodes], [n.meta["tensor_meta"].dtype for n in gm.graph.nodes][0])''')

case("make-fx", "def model(x):\n    return x", '''from torch.fx.experimental.proxy_tensor import make_fx
from torch._decomp import get_decompositions
def f(a, b):
    torch.exp(a)
    return F.layer_norm(F.silu(a) + 1, (4,), b), F.linear(a, a), [a.view(-1)]
def run(gm):
    made = make_fx(f)(torch.ones(4, 4), torch.ones(4))
    print(made.graph, type(made).__name__)
    print(make_fx(f, decomposition_table=get_decompositions([aten.silu]))(torch.ones(4, 4), torch.ones(4)).graph)
    one, two = make_fx(lambda x: x + 1)(torch.ones(3)).graph, make_fx(lambda x: x + 2)(torch.ones(4, 4)).graph
    print(len(SubgraphMatcher(two).match(one)), len(SubgraphMatcher(two, ignore_literals=True).match(one)))''')
case("fake-tensor-prop", TWICE, '''from torch.fx.passes.fake_tensor_prop import FakeTensorProp
def run(gm):
    FakeTensorProp(gm).propagate(torch.empty(2, 3, dtype=torch.float16))
    print([(n.name, tuple(n.meta["val"].shape), n.meta["val"].dtype) for n in gm.graph.nodes])''')
CHAIN = "def model(x, y):\n    a = torch.neg(x)\n    b = torch.exp(a)\n    c = torch.tanh(b)\n    d = torch.add(c, a)\n    s = torch.split(d, 2)\n    e = torch.mul(s[0], y)\n    return torch.neg(e), s[1], b"
case("partitioner", CHAIN, '''from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupport, any_chain, create_op_support
class Own(OperatorSupport):
    def is_node_supported(self, submodules, node):
        return node.op == "call_function" and node.target in (torch.neg, torch.exp, torch.add, torch.split, operator.getitem)
def run(gm):
    for single in (True, False):
        for skip in (True, False):
            parts = CapabilityBasedPartitioner(gm, Own(), allows_single_node_partition=single, skip_horizontal_fusion=skip).propose_partitions()
            print([(p.id, shown(list(p.nodes)), p.size()) for p in parts])
    either = any_chain(Own(), create_op_support(lambda modules, node: node.target == torch.mul))
    CapabilityBasedPartitioner(gm, either, allows_single_node_partition=True).partition_and_fuse("part_")
    print([(n, shown(list(m.graph.nodes))) for n, m in gm.named_children()])''')
case("partitioner-tables", "def model(x, y):\n    return torch.relu(x + y) * torch.exp(x)", '''from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupport
def run(gm):
    table = OperatorSupport({"_operator.add": None, "torch.relu": None, "_operator.mul": None})
    partitioner = CapabilityBasedPartitioner(gm, table, non_compute_ops=["_operator.add"])
    parts = partitioner.propose_partitions()
    print([shown(list(p.nodes)) for p in parts])
    partitioner.remove_bookend_non_compute_ops(parts)
    print([shown(list(p.nodes)) for p in parts])
    partitioner.fuse_partitions(parts)
    print(gm.code)''')
case("split-module", CHAIN, '''from torch.fx.passes.split_module import split_module
def run(gm):
    numbers = {n: i // 3 for i, n in enumerate(gm.graph.nodes)}
    for options in ({}, {"keep_original_order": True}, {"keep_original_node_name": True, "partition_affix": "p"},
                    {"keep_original_input_name": False, "tuple_return": True}):
        made = split_module(gm, gm, lambda n: numbers[n], **options)
        print(made.graph, sorted(made.meta["partition_names"]))
        for name, child in made.named_children():
            print(name, child.graph)''')
case("normalized-module", "def model(x):\n    return x", '''class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.act = torch.nn.ReLU()
        self.line = torch.nn.Linear(2, 2)
    def forward(self, x):
        return self.line(self.act(x))
def run(gm):
    made = symbolic_trace(M())
    for node in made.graph.nodes:
        got = node.normalized_arguments(made, normalize_to_only_use_kwargs=True)
        print(node, None if got is None else (shown(got.args), shown(got.kwargs)))''')
case("observer", TWICE, '''from torch.fx.passes.graph_transform_observer import GraphTransformObserver
def relu(graph):
    for n in graph.nodes:
        if n.target == torch.relu:
            n.target = torch.sigmoid
    return 7
def run(gm):
    print(GraphTransformObserver(gm, "p").apply_graph_pass(relu))''')
case("fx33-20-node-api", "def model(x, y):\n    z = torch.add(x, y, alpha=2)\n    return torch.sub(z, 1), z", """
def run(gm):
    z = next(n for n in gm.graph.nodes if n.name == "add")
    print(z.args, z.kwargs, z.all_input_nodes, list(z.users), z.next.name, z.prev.name, z.op, z.format_node())
    z.update_arg(1, z.args[0])
    z.update_kwarg("alpha", 3)
    print(z.kwargs, [list(n.users) for n in gm.graph.nodes if n.op == "placeholder"])
    z.append(gm.graph.create_node("call_function", torch.neg, (z,)))
    z.replace_input_with(z.args[0], gm.graph._root.next)
    n = z.next
    n.prepend(z) if False else None
    z.replace_all_uses_with(n, delete_user_cb=lambda u: u is not n)
""")
case("replaced-targets-and-sizes", "def model(x):\n    return torch.add(torch.mul(x, 2), torch.mul(x, 3)).to(torch.float16)", """
from torch.fx.passes.graph_manipulation import get_size_of_all_nodes, get_size_of_node, replace_target_nodes_with
def run(gm):
    replace_target_nodes_with(gm, "call_function", torch.mul, "call_function", operator.mul)
    replace_target_nodes_with(gm, "call_function", torch.add, "call_method", "add")
    try:
        get_size_of_node(gm, next(iter(gm.graph.nodes)))
    except RuntimeError as e:
        print(e)
    get_size_of_all_nodes(gm, [torch.zeros(4, 6)])
    print([(n.name, getattr(n, "size_bytes", None)) for n in gm.graph.nodes])
""")
case("split-by-tags", "def model(x, y):\n    a = torch.relu(x)\n    b = torch.tanh(y)\n    c = a + b\n    return c * a, torch.exp(c)", """
from torch.fx.passes.split_utils import split_by_tags
TAGS = dict(relu="first", tanh="first", add="second", mul="third", exp="second")
def run(gm):
    for n in gm.graph.nodes:
        if n.op == "call_function":
            n.tag = TAGS[n.name]
    for as_tuple in (False, True):
        split, paths = split_by_tags(gm, ["first", "second", "third"], return_fqn_mapping=True, return_tuple=as_tuple)
        print(split.graph, paths)
        for name, part in split.named_children():
            print(name, part.graph)
    try:
        split_by_tags(gm, ["second", "first", "third"])
    except AssertionError as e:
        print(e)
""")
case("lint-of-another-graphs-node", "def model(x):\n    return torch.relu(x) + 1", """
def run(gm):
    add = next(n for n in gm.graph.nodes if n.target is operator.add)
    relu, other = add.args[0], torch.fx.Graph()
    add.args = (other.placeholder("o"), relu)
    try:
        gm.graph.lint()
    except RuntimeError as e:
        print(e)
    add.args = (relu, 1)
    gm.graph.lint()
""")
case("constant-of-replacement", "def model(x):\n    return torch.zeros_like(x) + x", """
def run(gm):
    tell(replace_pattern(gm, lambda x: torch.zeros_like(x), lambda x: torch.zeros(4, 8)))
    gm.graph.lint()
""")
case("kwargs-refuse-mutation", "def model(x, y):\n    return torch.cat([x, y], dim=0)", """
def run(gm):
    cat = gm.graph.find_nodes(op="call_function", target=torch.cat)[0]
    print(type(cat.kwargs).__name__, cat.kwargs)
    cat.kwargs["dim"] = 1
""")
case("code-of-typed-inputs", "from typing import Optional\ndef model(x: torch.Tensor, y: Optional[torch.Tensor] = None, *, z: int = 3):\n    return torch.add(x, z)", """
def run(gm):
    print(gm.code)
    for n in gm.graph.nodes:
        print(n if isinstance(n.target, str) else n._pretty_print_target(n.target))
""")
case("normalize-of-two-schemas", "def model(x, y):\n    return torch.add(x, other=y, alpha=2)", """
from torch.fx.operator_schemas import normalize_function
def run(gm):
    for n in gm.graph.find_nodes(op="call_function", target=torch.add):
        print(normalize_function(n.target, n.args, n.kwargs))
""")
case("unknown-attribute-is-no-module", "class M(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.register_buffer('s', torch.zeros(4))\n        self.line = torch.nn.Linear(4, 4)\n    def forward(self, x):\n        return self.line(x) + self.s\nmodel = M()", """
def run(gm):
    print([name for name, _ in gm.named_modules()], hasattr(gm, "s"))
""")
