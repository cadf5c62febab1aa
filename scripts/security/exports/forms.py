"""
Compares the tree of a file that Fusescope wrote with the forms that it may hold (docs/security.md). `faults(kind, text, fixed)` is
empty for a file of data: literals, names of the tables, and calls of a fixed set. It reads Python's `ast` and knows nothing of the writers.
"""
import ast
import json
import re
import sys
import unicodedata

CLASSES = set(
    "Arg CallFunction CallFunctionVarArgs CallMethod CallMethodVarArgs CallModule CallModuleVarArgs ExclusiveKeywordArg Ignored "
    "KeywordArg ListOf MULTIPLE MultiOutputPattern RepeatedExpr".split()
)
MODULES = set("json math operator builtins torch pytest".split())
FROM = {
    "math": {"inf", "nan"},
    "torch": {"device"},
    "torch._inductor.pattern_matcher": CLASSES | {"PatternMatcherPass", "fwd_only", "register_graph_pattern", "register_replacement"},
    "torch._inductor.fx_passes.post_grad": {"view_to_reshape"},
    "torch._subclasses.fake_tensor": {"FakeTensorMode"},
    "torch._higher_order_ops.auto_functionalize": {"auto_functionalized", "auto_functionalized_v2"},
}
TABLES = set("USER_FILES USER_MODULES STAGES OFF EXPECTED ENVIRONMENT STUBBED BUNDLED".split())
REBUILT = re.compile(r"(graph|trace|search|edit)_\d+|pattern_\d+")
VALUES = {"function", "slice", "complex", "device", "getattr"}
BUILD = {"placeholder", "get_attr", "call", "named", "refused", "sym", "value", "change", "erase", "output", "after", "node"}
CONSTANTS = (str, int, float, complex, bool, type(None), type(Ellipsis))
# Modules of functions that a table of scripts may name; which of their functions: src/fx/code/functions.ts.
ROOTS = re.compile(
    r"torch|torch\._C\._(nn|fft|linalg|special)|torch\.functional|torch\.nn\.functional|operator|math|builtins"
)
# Names in these modules that do more than compute: none may stand in a file, whatever the table says.
NEVER = re.compile(
    r".*(load|save|open|exec|eval|compile|import|system|hook|set_|getattr|setattr|attrgetter|methodcaller|itemgetter|call\b|\bos\b|\bsys\b|"
    r"from_file|input|print|globals|breakpoint|__)",
)

# A function of pattern files that no value of a graph reaches.
RESHAPES = """
def trace_as_post_grad(fn, args, **options):
    \"\"\"Traces as fwd_only. Inductor makes each view a reshape before post-grad passes run.\"\"\"
    module = fwd_only(fn, args, **options)
    view_to_reshape(module)
    return module
"""


class Fault(Exception):
    pass


def need(condition, node, what):
    if not condition:
        raise Fault(f"line {getattr(node, 'lineno', '?')}: {what}: {ast.dump(node)[:160]}")


def dotted(node):
    """`a.b.c`; None for any other expression."""
    if isinstance(node, ast.Name):
        return node.id
    of = dotted(node.value) if isinstance(node, ast.Attribute) else None
    return of and f"{of}.{node.attr}"


def is_target(path):
    """An operator below torch.ops, or a function of a module of ROOTS."""
    of, _, name = path.rpartition(".")
    path = re.sub(r"^(aten|prims)\.", r"torch.ops.\1.", path)
    if path.startswith("torch.ops."):
        parts = path.split(".")[2:]
        known = re.fullmatch(r"[A-Za-z_]\w*", parts[0], re.ASCII) and parts[0] not in ("load_library", "loaded_libraries", "import_module")
        return bool(known) and 2 <= len(parts) <= 3 and not any(p.startswith("__") for p in parts)
    return bool(ROOTS.fullmatch(of)) and not NEVER.fullmatch(name) and not name.startswith("_")


def is_constant(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, CONSTANTS)


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


class Data:
    """Expressions that hold values and call a fixed set."""

    def __init__(self, names=(), calls=(), methods=()):
        self.names, self.calls, self.methods = set(names) | {"inf", "nan", "Ellipsis"}, set(calls), set(methods)

    def check(self, node):
        if is_constant(node):
            return
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            for item in node.elts:
                self.check(item)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values):
                need(key is not None, node, "** in a dict")
                self.check(key)
                self.check(value)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            self.check(node.operand)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            need(is_number(node.left) and is_number(node.right), node, "a sum in data")
        elif isinstance(node, ast.Name):
            need(node.id in self.names, node, "a name")
        elif isinstance(node, ast.Attribute):
            path = dotted(node) or ""
            torch_value = re.fullmatch(r"torch\.[a-z]\w*", path, re.ASCII) and not NEVER.fullmatch(node.attr)
            need(is_target(path) or torch_value, node, "an attribute")
        elif isinstance(node, ast.Call):
            self.call(node)
        else:
            raise Fault(f"line {getattr(node, 'lineno', '?')}: {type(node).__name__} in data")

    def call(self, node):
        path = dotted(node.func)
        if path == "getattr":
            of, name = (dotted(node.args[0]), node.args[1]) if len(node.args) == 2 else (None, None)
            need(of and is_text(name) and is_target(f"{of}.x") and re.fullmatch(r"[a-z]+|__i?(and|or|xor|lshift|rshift)__", name.value), node, "getattr")  # fmt: skip
            return
        if path == "function":
            need(len(node.args) == 1 and is_text(node.args[0]) and not node.keywords, node, "function")
            return
        if isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_":
            need(not node.args and not node.keywords, node, "requires_grad_")
            self.check(node.func.value)
            return
        known = path in self.calls or path in VALUES
        method = path and path.startswith("build.") and path[6:] in self.methods
        need(known or method, node, "a call")
        for arg in node.args:
            self.check(arg)
        for keyword in node.keywords:
            need(keyword.arg is not None and not keyword.arg.startswith("__"), node, "** in a call")
            self.check(keyword.value)


def is_number(node):
    node = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    return isinstance(node, ast.Constant) and type(node.value) in (int, float, complex)


class Computation:
    """Expressions of a pattern made from a selection: calls of known targets, methods of values, sizes, comparisons."""

    FUNCTIONS = CLASSES | set("len set any all list zip range float slice fwd_only register_replacement declare expression".split())
    NAMES = CLASSES | set("patterns pattern replacement extra_check inputs libraries fwd_only trace_as_post_grad True".split())
    TORCH = set("torch.empty torch.empty_strided torch.device torch.library.custom_op torch.Tensor torch.rand torch.tensor".split())
    NODES = (
        ast.List, ast.Tuple, ast.Set, ast.Dict, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Subscript, ast.Slice, ast.Starred,
        ast.Load, ast.Store, ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.GeneratorExp, ast.ListComp, ast.comprehension, ast.keyword,
    )  # fmt: skip

    def __init__(self, local):
        self.local = set(local)

    def check(self, node):
        if is_constant(node):
            return
        if isinstance(node, ast.Name):
            known = self.local | self.NAMES | self.FUNCTIONS | {"int", "bool", "str", "auto_functionalized", "auto_functionalized_v2", "Ellipsis"}
            need(node.id in known, node, "a name")
            return
        if isinstance(node, ast.Attribute):
            path = dotted(node)
            of_torch = path and path.split(".")[0] in ("torch", "operator", "math", "builtins")
            if of_torch:
                plain = re.fullmatch(r"torch\.[a-z]\w*", path, re.ASCII) and not NEVER.fullmatch(node.attr)
                need(path in self.TORCH or is_target(path) or plain, node, "an attribute")
                return
            need(re.fullmatch(r"[a-zA-Z]\w*", node.attr, re.ASCII), node, "an attribute")
            self.check(node.value)
            return
        if isinstance(node, ast.Call):
            path = dotted(node.func)
            if path in ("function", "getattr"):
                return Data().call(node)
            need(path is None or "." in path or path in self.FUNCTIONS | self.local | {"pattern", "complex", "auto_functionalized", "auto_functionalized_v2"}, node, "a call")  # fmt: skip
            need(not isinstance(node.func, (ast.Call, ast.Lambda, ast.Subscript)), node, "a call of a result")
            if "." in (path or ""):
                self.check(node.func)
            for keyword in node.keywords:
                need(keyword.arg is not None, node, "** in a call")
            for child in [*node.args, *[k.value for k in node.keywords]]:
                self.check(child)
            return
        need(isinstance(node, self.NODES), node, type(node).__name__)
        if isinstance(node, ast.comprehension):
            self.local |= {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
        children = list(ast.iter_child_nodes(node))
        for child in sorted(children, key=lambda c: not isinstance(c, ast.comprehension)):
            self.check(child)


def arguments(node):
    a = node.args
    need(a.vararg is None and a.kwarg is None, node, "* in a signature")
    return a, [p.arg for p in [*a.posonlyargs, *a.args, *a.kwonlyargs]]


class File:
    def __init__(self, kind, fixed):
        self.kind, self.fixed = kind, fixed

    def check(self, tree):
        for i, node in enumerate(tree.body):
            docstring = i == 0 and isinstance(node, ast.Expr) and is_text(node.value)
            if not docstring and ast.dump(node) not in self.fixed:
                getattr(self, f"of_{'selection' if self.kind == 'selection' else 'export'}")(node)

    def of_export(self, node):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return imports(node)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if self.kind == "patterns":
                need(re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) and not name.startswith("__") and name not in CLASSES | MODULES | {"aten", "prims", "device"}, node, "a name")  # fmt: skip
                Data(self.assigned, CLASSES | {"torch.device", "torch.tensor"}).check(node.value)
                self.assigned.add(name)
                return
            if name == "GRAPHS":
                values = node.value.values if isinstance(node.value, ast.Dict) else node.value.elts
                need(all(is_text(k) for k in getattr(node.value, "keys", [])), node, "GRAPHS")
                need(all(is_text(v) or isinstance(v, ast.Name) and REBUILT.fullmatch(v.id) for v in values), node, "GRAPHS")
                return
            need(name in TABLES, node, "a table")
            return Data().check(node.value)
        need(isinstance(node, ast.FunctionDef) and not node.decorator_list, node, "a statement")
        body = node.body[1:] if isinstance(node.body[0], ast.Expr) and is_text(node.body[0].value) else node.body
        arguments(node)
        if node.name == "declare_operators":
            for statement in body:
                need(isinstance(statement, ast.Pass) or is_declaration(getattr(statement, "value", None)), statement, "a declaration")
        elif node.name == "applications":
            need(len(body) == 1 and isinstance(body[0], ast.Return), node, "applications")
            for entry in ast.walk(body[0].value):
                if isinstance(entry, ast.Lambda):
                    need([a.arg for a in entry.args.args] == ["build"], entry, "a lambda")
                    Data((), (), {"value", "sym"}).check(entry.body)
                    entry.body = ast.Constant(None)
            AllowLambda(["graph", "trace", "search", "edit", "pattern"]).check(body[0].value)
        else:
            need(REBUILT.fullmatch(node.name), node, "a function")
            local = set()
            for statement in body:
                rebuild(statement, local, node.name.startswith("pattern"))

    assigned = set()

    def of_selection(self, node):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return imports(node)
        if isinstance(node, ast.FunctionDef):
            fixed = {"pattern", "replacement", "expression", "extra_check", "fuse", "_", "trace_as_post_grad"}
            need(node.name in fixed or re.fullmatch(r"[a-z]\w*", node.name, re.ASCII) and node.name not in ("eval", "exec", "declare"), node, "a function")
            _, names = arguments(node)
            local = set(names) | {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            need(not local & ({"torch", "operator", "math", "builtins", "getattr"} | CLASSES), node, "a name that hides another")
            for decorator in node.decorator_list:
                target = decorator.func if isinstance(decorator, ast.Call) else decorator
                path = dotted(target) or ""
                need(path in ("torch.library.custom_op", "register_graph_pattern") or re.fullmatch(r"[a-z]\w*\.register_fake", path, re.ASCII), node, "a decorator")  # fmt: skip
                for child in [*getattr(decorator, "args", []), *[k.value for k in getattr(decorator, "keywords", [])]]:
                    Computation(()).check(child)
            body = node.body[1:] if isinstance(node.body[0], ast.Expr) and is_text(node.body[0].value) else node.body
            for statement in body:
                compute(statement, local)
            return
        compute(node, set())


class AllowLambda(Data):
    """Data with checked lambdas in it, and names of functions that rebuild graphs."""

    def __init__(self, prefixes):
        super().__init__()
        self.prefixes = prefixes

    def check(self, node):
        if isinstance(node, ast.Lambda):
            need(isinstance(node.body, ast.Constant), node, "a lambda")
        elif isinstance(node, ast.Name) and re.fullmatch(rf"(?:{'|'.join(self.prefixes)})_\d+", node.id):
            return
        else:
            super().check(node)


def imports(node):
    if isinstance(node, ast.Import):
        need(all(a.name in MODULES and a.asname is None for a in node.names), node, "an import")
    else:
        known = FROM.get(node.module or "", set())
        need(node.level == 0 and all(a.name in known and a.asname is None for a in node.names), node, "an import")


def is_declaration(node):
    """`declare('ns::op(…) -> …', None | unknown_shapes('…') | lambda of its arguments)`."""
    need(isinstance(node, ast.Call) and dotted(node.func) == "declare" and node.args and is_text(node.args[0]), node or ast.Pass(), "declare")
    for fake in [*node.args[1:], *[k.value for k in node.keywords]]:
        if isinstance(fake, ast.Lambda):
            a, names = arguments(fake)
            need("torch" not in names, fake, "a name that hides another")
            for default in [*a.defaults, *[d for d in a.kw_defaults if d]]:
                Data().check(default)
            Fake(names).check(fake.body)
        elif isinstance(fake, ast.Call):
            need(dotted(fake.func) == "unknown_shapes" and len(fake.args) == 1 and is_text(fake.args[0]), fake, "a fake")
        else:
            need(isinstance(fake, ast.Constant) and fake.value is None, fake, "a fake")
    return True


class Fake(Computation):
    """Shapes from arguments: `torch.empty((*x.shape[:-1], y.shape[1] // 2), dtype=x.dtype, device=x.device)`."""

    NAMES = FUNCTIONS = set()
    TORCH = {"torch.empty"}

    def check(self, node):
        if isinstance(node, ast.Name):
            need(node.id in self.local, node, "a name")
        else:
            super().check(node)


def rebuild(statement, local, is_pattern):
    """A line of a function that rebuilds a graph or a pattern."""
    calls = CLASSES if is_pattern else set()
    data = Data(local | (CLASSES if is_pattern else set()), calls, set() if is_pattern else BUILD)
    if isinstance(statement, ast.Pass):
        return
    if isinstance(statement, ast.With):
        (item,) = statement.items
        need(isinstance(item.context_expr, ast.Call) and dotted(item.context_expr.func) == "build.after", statement, "with")
        data.check(item.context_expr)
        for inner in statement.body:
            rebuild(inner, local, is_pattern)
        return
    if isinstance(statement, ast.Assign):
        (target,) = statement.targets
        need(isinstance(target, ast.Name) and not re.match(r"__+[^_]", target.id), statement, "an assignment")
        need(target.id not in VALUES | (CLASSES if is_pattern else set()) | {"build", "torch", "operator", "math", "builtins"}, statement, "a name that hides another")
        data.check(statement.value)
        local.add(target.id)
        return
    need(isinstance(statement, (ast.Return, ast.Expr)), statement, "a statement")
    data.check(statement.value)


def compute(statement, local):
    """A statement of a pattern file."""
    if isinstance(statement, ast.Pass):
        return
    expressions = [n for n in ast.iter_child_nodes(statement) if isinstance(n, ast.expr)]
    known = (ast.Assign, ast.Return, ast.Expr, ast.For, ast.With, ast.If)
    need(isinstance(statement, known), statement, "a statement")
    if isinstance(statement, ast.Assign):
        local |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    if isinstance(statement, ast.With):
        expressions += [i.context_expr for i in statement.items]
        local |= {"FakeTensorMode"}
    for expression in expressions:
        Computation(local | {"PatternMatcherPass"}).check(expression)
    for inner in [*getattr(statement, "body", []), *getattr(statement, "orelse", [])]:
        compute(inner, local)


def faults(kind, text, fixed):
    """What of a file is no allowed form, one line each."""
    found = []
    hidden = [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c not in "\n\t"]
    if hidden:
        found.append(f"a character that does not show: {ascii(hidden[0])}")
    try:
        tree = ast.parse(text)
        file = File(kind, fixed)
        file.assigned = set()
        file.check(tree)
    except Fault as e:
        found.append(str(e))
    except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError, UnicodeError) as e:
        found.append(f"{type(e).__name__}: {e}")
    return found


def fixed_of(texts):
    """The statements of innocent files: they may occur in each file."""
    return {ast.dump(node) for text in ["1" + RESHAPES, *texts] for node in ast.parse(text).body[1:]}


def main(lines):
    """One JSON object per line: {"fixed": [text]} first, then {"id", "kind", "text"}. Prints a line per fault and the number of files."""
    fixed, files, bad = set(), 0, 0
    for line in lines:
        file = json.loads(line)
        if "fixed" in file:
            fixed = fixed_of(file["fixed"])
            continue
        files += 1
        for fault in faults(file["kind"], file["text"], fixed):
            bad += 1
            print(f"{file['id']} {file['kind']}: {fault}".encode("ascii", "backslashreplace").decode(), flush=True)
    print(f"{files} files, {bad} faults", flush=True)
    return bad


if __name__ == "__main__":
    sys.exit(1 if main(sys.stdin) else 0)
