"""What an exported script imports, without PyTorch."""

import ast
import contextlib
import functools
import importlib.util
import io
import logging
import operator
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock
import warnings

ROOT = pathlib.Path(__file__).parents[2]
RUNTIME = ("shown.py", "sizes.py", "operators.py", "guard.py", "graphs.py", "stages.py")
SOURCE = ROOT / "src" / "python" / "lib" / "_fusescope" / "exported" / "stages.py"
# In UTF-7, the comment holds a line break and a call.
UTF7 = "# vim: set fileencoding=utf-7 :\n# Checked against " + "\nraise SystemExit('RAN')\n#".encode("utf-7").decode().replace("\n", "+AAo-") + "\nseen = 1\n"


def stages():
    names = ("torch", "torch._inductor", "torch._inductor.virtualized", "torch._subclasses", "torch._subclasses.fake_tensor")
    stubs = {name: types.ModuleType(name) for name in names}
    stubs["torch._inductor"].config = stubs["torch._inductor"].pattern_matcher = None
    stubs["torch._inductor.virtualized"].V = None
    stubs["torch._subclasses.fake_tensor"].FakeTensorMode = contextlib.nullcontext
    space = {"own_functions": {}}
    with unittest.mock.patch.dict(sys.modules, stubs):
        exec(compile(SOURCE.read_text("utf-8"), str(SOURCE), "exec"), space)
    return space


class Exported(unittest.TestCase):
    def test_runs_the_text_that_is_shown_and_no_other_encoding_of_it(self):
        self.assertIn("SystemExit", UTF7.encode().decode("utf-7"))
        space = stages()
        shown = {}
        exec(space["TextLoader"]("fusion", "fusion.py", UTF7).get_code("fusion"), shown)
        self.assertEqual(shown["seen"], 1)
        with self.assertRaisesRegex(ValueError, "'fusion.py' declares the encoding utf-7"):
            space["write"]("files", {"fusion.py": UTF7})
        space["write"]("files", {"fusion.py": "# -*- coding: utf-8 -*-\n"})

    def test_compiles_nothing_while_files_are_imported(self):
        # A compiled kernel on a fake tensor is a segmentation fault.
        space, torch = stages(), types.ModuleType("torch")
        torch.stance = "default"

        @contextlib.contextmanager
        def set_stance(stance):
            torch.stance = stance
            yield
            torch.stance = "default"

        space["torch"].compiler = types.SimpleNamespace(set_stance=set_stance)
        space["torch"].library = types.SimpleNamespace(Library=types.SimpleNamespace(define=None))
        space["own_words"] = set()
        with unittest.mock.patch.dict(sys.modules, torch=torch), unittest.mock.patch.object(sys, "meta_path", sys.meta_path[:]):
            [imported] = space["import_files"]({"compiles.py": "import torch\nseen = torch.stance\n"}, {"compiles": "compiles.py"})
            del sys.modules["compiles"]
        self.assertEqual((imported.seen, torch.stance), ("force_eager", "default"))

    def test_the_object_of_a_class_is_that_of_the_hook_or_a_new_one(self):
        space = stages()

        class Fusions:
            def __init__(self):
                self.patterns = object()

        module = types.ModuleType("fusion")
        module.Fusions = Fusions
        with unittest.mock.patch.dict(sys.modules, {"vllm": None}):
            space["config"] = types.SimpleNamespace(post_grad_custom_post_pass=None)
            made = space["Passes"]([module])
            self.assertIs(made.resolve("Fusions.patterns"), made.resolve("Fusions").patterns)
            held = Fusions()
            space["config"].post_grad_custom_post_pass = held
            self.assertIs(space["Passes"]([module]).resolve("Fusions.patterns"), held.patterns)
            space["config"].post_grad_custom_post_pass = None
            Fusions.__init__ = lambda self: self.missing
            stage = ("hook:post_grad_custom_post_pass", ["Fusions.patterns"])
            self.assertEqual(space["run_stages"](space["Passes"]([module]), [stage], [], None, None), {"Fusions.patterns": None})
            self.assertEqual(space["failed"], ["Fusions.patterns: AttributeError: 'Fusions' object has no attribute 'missing'"])

    def test_writes_no_bytecode(self):
        for name in ("__pycache__/fusion.cpython-313.pyc", "fusion.so", "../fusion.py"):
            with self.subTest(name), self.assertRaisesRegex(ValueError, "is no "):
                stages()["write"]("files", {name: ""})

    def test_a_graph_holds_and_computes_operators_on_values(self):
        class Operator:
            def __init__(self, name, types_, *keys, returns=(1,)):
                arguments = [types.SimpleNamespace(type=t) for t in types_.split()]
                self.namespace, self.keys = name.partition("::")[0], keys
                self._schema = types.SimpleNamespace(name=name, overload_name="", arguments=arguments, returns=returns)

            def name(self):
                return self

        found = types.SimpleNamespace(
            _dispatch_find_schema_or_throw=lambda *_: None, _dispatch_has_kernel_for_dispatch_key=lambda op, key: key in op.keys
        )
        tree = ast.parse(SOURCE.with_name("operators.py").read_text("utf-8"))
        tree.body = [n for n in tree.body if not isinstance(n, (ast.Import, ast.ImportFrom))]
        space = {"OpOverload": Operator, "OpOverloadPacket": (), "torch": types.SimpleNamespace(_C=found), "functools": functools, "re": re}
        exec(compile(tree, "operators.py", "exec"), space)
        space["_stand_in"] = lambda op: None
        space.update(op_implementations_dict={}, _has_rule=lambda op: True)
        space["own_words"].update({"lib", "named"})

        def of(*args, **kwargs):
            op = Operator(*args, **kwargs)
            return space["_held"](op) is op, space["_computes"](op)

        exec(compile(SOURCE.with_name("shown.py").read_text("utf-8"), "shown.py", "exec"), space)
        self.assertEqual(space["visible"]("g\x1b]0;é\n\u202e.txt"), "g\\x1b]0;é\\n\\u202e.txt")
        self.assertEqual([space["visible"](t) for t in ("::set-env::x", "  ::x", "a::b", "##[group]", "##vso[x]")],
            ["\\x3a:set-env::x", "  \\x3a:x", "a::b", "#\\x23[group]", "#\\x23vso[x]"],
        )
        self.assertEqual(of("aten::add", "Tensor number", "CompositeImplicitAutograd"), (True, True))
        self.assertEqual(of("aten::arange", "number Device"), (True, True))
        self.assertEqual(of("aten::_assert_scalar", "number str"), (True, True))
        self.assertEqual(of("vllm::fused", "Tensor int str", "CompositeExplicitAutograd", "Meta"), (True, True))
        self.assertEqual(of("_C::rms_norm", "Tensor Tensor float", "CUDA", returns=()), (True, True))
        self.assertEqual(of("_C::silu", "Tensor", "CUDA"), (True, False))
        self.assertEqual(of("_c10d_functional::wait_tensor", "Tensor"), (True, False))
        self.assertEqual(of("lib::named", "Tensor", "CompositeImplicitAutograd"), (True, False))
        for refused in (
            of("aten::from_file", "str Optional[bool] Optional[int]"),
            of("aten::_print", "str"),
            of("aten::set_", "Tensor Storage"),
            of("image::write_file", "str Tensor", "CompositeImplicitAutograd", returns=()),
            of("_C_custom_ar::dispose", "int", "Meta", returns=()),
            of("_C_custom_ar::register", "Tensor int", "CompositeExplicitAutograd", returns=()),
            of("lib::other", "Tensor", "CompositeImplicitAutograd"),
            of("quantized::add", "Tensor Tensor", "CPU"),
            of("torchbind::run", "Tensor __torch__.torch.classes.x.Y", "Meta"),
        ):
            self.assertEqual(refused, (False, False))

    def test_what_is_raised_warned_of_and_logged_quotes_no_command(self):
        space, text = {}, "no ##vso[task.uploadfile]/etc/passwd\x1b[2J\n::set-output name=x::y"
        exec(compile(SOURCE.with_name("shown.py").read_text("utf-8"), "shown.py", "exec"), space)
        log, said = logging.getLogger("fusescope_test"), io.StringIO()
        handler = logging.StreamHandler(said)
        log.addHandler(handler)

        def run():
            warnings.warn(text)
            log.warning("%s", text)
            log.warning("%s %s", text)  # a bug of the caller
            try:
                raise KeyError(text)
            except KeyError:
                log.exception("raised")
                raise ValueError(text)

        with unittest.mock.patch.object(sys, "stderr", said), warnings.catch_warnings():
            warnings.simplefilter("always")
            with self.assertRaises(RuntimeError) as raised:
                space["plainly"](run)
            shown = said.getvalue().partition("--- Logging error")
        log.removeHandler(handler)
        for one in (shown[0], str(raised.exception)):
            self.assertRegex(one, r"#\\x23vso\[task\.uploadfile\]/etc/passwd\\x1b\[2J\n\\x3a:set-output")
            self.assertNotRegex(one, r"(?m)##|\x1b|^::")
        self.assertIn("ValueError: no #", str(raised.exception))
        self.assertIsNone(raised.exception.__context__)
        self.assertEqual(space["plainly"](max, 1, 2), 2)
        self.assertEqual(space["json_text"](["##vso[x]", 1]), '["#\\u0023vso[x]", 1]')

    def test_a_layer_of_the_environment_is_of_the_files_or_of_no_class(self):
        library = SOURCE.parents[2]
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(sys.modules), contextlib.ExitStack() as ends:
            for name, text in {
                "files/fusescope_own.py": "from fusescope_installed.start import Starts\nclass Layer:\n    def __init__(self, heads):\n        self.heads = heads",
                "site/fusescope_installed/start.py": "class Starts:\n    def __init__(self, **given):\n        raise SystemExit('RAN')",
                "site/fusescope_installed/loaded.py": "raise SystemExit('RAN')",
            }.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")
            paths = [str(library), f"{folder}/files", f"{folder}/site", *sys.path]
            ends.enter_context(unittest.mock.patch.object(sys, "path", paths))
            from _fusescope import environment, frames

            ends.enter_context(unittest.mock.patch.object(frames, "WORKSPACE", f"{folder}/files/"))
            space = {"__name__": "layers"}
            source = library / "vllm" / "config" / "_layers.py"
            exec(compile(source.read_text("utf-8"), str(source), "exec"), space)
            calls = {
                "own": "fusescope_own.Layer(heads=2)",
                "imported": "fusescope_own.Starts(heads=3)",
                "installed": "fusescope_installed.start.Starts(args=['/bin/sh'])",
                "loaded": "fusescope_installed.loaded.Starts(heads=4)",
                "python": "subprocess.Popen(args=['/bin/sh'])",
                "main": "__main__.Exported(methodName='x')",
            }
            environment.begin({"layers": calls})
            made = space["model_layers"]()
            self.assertEqual({n: isinstance(v, space["_NoSuchClass"]) for n, v in made.items()}, {n: n != "own" for n in calls})
            self.assertEqual((made["own"].heads, made["installed"].args), (2, ["/bin/sh"]))
            self.assertNotIn("fusescope_installed.loaded", sys.modules)

    @unittest.skipUnless(importlib.util.find_spec("torch"), "needs PyTorch")
    def test_runs_no_kernel_and_no_method_on_an_address(self):
        import torch

        space, ran = {"__name__": "exported"}, []
        for name in RUNTIME:
            exec(compile(SOURCE.with_name(name).read_text("utf-8"), name, "exec"), space)
        library = torch.library.Library("fusescope_test", "FRAGMENT")
        library.define("run(int address, Tensor x, Tensor(a!) out) -> ()")
        library.impl("run", lambda address, x, out: ran.append(address), "CPU")
        build = space["GraphBuilder"]()
        given = build.get_attr("c", "c", "f32[][]cpu", 5.0)
        aten = torch.ops.aten
        made = {
            "a number": build.call("a", aten.add.Tensor, (given, given), {}, None),
            "two numbers": build.call("b", aten.add.Tensor, (2, 3), {}, None),
            "a lift": build.call("d", aten.lift_fresh.default, (given,), {}, None),
            "itself": given,
        }
        for what, node in made.items():
            with self.subTest(what):
                self.assertIsInstance(node.meta["val"], torch.Tensor)
                build.call("run", torch.ops.fusescope_test.run.default, (0x4141414141, node, node), {}, None)
                self.assertEqual(ran, [])
                view = build.call("v", torch.ops.inductor._reinterpret_tensor.default, (node, [1], [1], 9), {}, None)
                self.assertIsNone(getattr(view.meta.get("val"), "constant", None))
        x = build.placeholder("x", "x", "f32[4][1]cpu")
        with unittest.mock.patch("torch._subclasses.fake_tensor.run_fallback_kernel", side_effect=lambda *_: ran.append("fallback")):
            build.call("f", aten.geqrf.default, (build.placeholder("y", "y", "f32[4, 4][4, 1]cpu"),), {}, None)
        self.assertEqual(ran, [])
        # It takes the address of a tensor: a segmentation fault.
        with self.assertRaisesRegex(ValueError, "address"):
            build.call("new", "new", (x,), {"cdata": 0x4141414141}, None, op="call_method")
        for name in ("new", "data_ptr", "apply_", "untyped_storage"):
            self.assertNotIn("val", build.call(name, name, (x,), {}, None, op="call_method").meta)
        # A function that calls an argument.
        size, space["own_functions"]["own.run"] = build.placeholder("s", "s", "Sym(s0)"), ran.append
        for key in (aten.abs.default, torch.ops.higher_order.print, space["function"]("own.run"), space["function"]("other")):
            self.assertNotIn("val", build.call("m", max, (3, size), {"key": key}, None).meta)
        self.assertIn("val", build.call("m", max, (3, size), {}, None).meta)
        self.assertEqual(ran, [])
        for name in ("relu", "float", "size"):
            self.assertIn("val", build.call(name, name, (x,), {}, None, op="call_method").meta)

    @unittest.skipUnless(importlib.util.find_spec("torch"), "needs PyTorch")
    def test_runs_no_kernel_in_a_built_in_pass(self):
        import torch

        space, ran = {"__name__": "exported"}, []
        for name in RUNTIME:
            exec(compile(SOURCE.with_name(name).read_text("utf-8"), name, "exec"), space)
        build = space["GraphBuilder"]()
        log, targets, loss, alpha = (
            build.placeholder(name, name, val)
            for name, val in {
                "p": "f32[4, 1, 5][5, 5, 1]cpu",
                "t": "i64[1, 2][2, 1]cpu",
                "n": "f32[1][1]cpu",
                "a": "f32[1, 4, 5][20, 5, 1]cpu",
            }.items()
        )
        # It has no fake, and its kernel checks no length: a segmentation fault.
        lengths = {"input_lengths": [10**8], "target_lengths": [2]}
        tensors = {"grad": loss, "log_probs": log, "targets": targets, "neg_log_likelihood": loss, "log_alpha": alpha}
        op = torch.ops.aten._ctc_loss_backward.default
        call = build.call("c", torch.ops.higher_order.auto_functionalized, (op,), {**tensors, **lengths, "blank": 0}, None)
        module, mode = build.output((call,))
        stages = [("built-in", ["inductor:decompose_auto_functionalized"])]
        with (
            unittest.mock.patch("torch._subclasses.fake_tensor.run_fallback_kernel", side_effect=lambda *_: ran.append("fallback")),
            contextlib.redirect_stderr(None),
        ):
            with space["guarded"]():
                space["run_stages"](space["Passes"]([]), stages, [], module, mode)
        self.assertEqual(ran, [])
        self.assertRegex(space["failed"][0], "aten._ctc_loss_backward.default is named and never called")
        # An operator that the user's files name: its kernel takes an address, and runs for all devices.
        library = torch.library.Library("fusescope_named", "FRAGMENT")
        library.define("reduce(int address, Tensor x, Tensor(a!) out) -> ()")
        library.impl("reduce", lambda address, x, out: ran.append(address), "CompositeExplicitAutograd")
        space["own_words"].update(("fusescope_named", "reduce"))
        build, op = space["GraphBuilder"](), torch.ops.fusescope_named.reduce.default
        x = build.placeholder("x", "x", "f32[4][1]cpu")
        named = {"address": 0x4141414141, "x": x, "out": x}
        module, mode = build.output((build.call("r", torch.ops.higher_order.auto_functionalized, (op,), named, None),))
        with space["guarded"](), contextlib.redirect_stderr(None):
            space["run_stages"](space["Passes"]([]), stages, [], module, mode)
        self.assertEqual((ran, len(space["failed"])), ([], 1))
        self.assertIn(op, [n.target for n in module.graph.nodes])

    @unittest.skipUnless(importlib.util.find_spec("torch"), "needs PyTorch")
    def test_runs_no_kernel_whatever_a_pass_of_the_user_does(self):
        import torch
        from torch._inductor import pattern_matcher as pm

        space, ran, address = {"__name__": "exported"}, [], 0x4141414141
        for name in RUNTIME:
            exec(compile(SOURCE.with_name(name).read_text("utf-8"), name, "exec"), space)
        fusion, aten, method = types.ModuleType("fusion"), torch.ops.aten, {"op": "call_method"}

        class Runs:
            def __init__(self, run):
                self.run = run

            def apply(self, graph):
                return self.run(graph.owning_module)(*[n.meta["val"] for n in graph.nodes if n.op == "placeholder"])

        def apply(how, build_with):
            """What the pass raised."""
            space["failed"].clear()
            with space["guarded"](), contextlib.redirect_stderr(None):
                module, mode = build_with(space["GraphBuilder"]())
                space["run_stages"](space["Passes"]([fusion]), [(how, ["patterns"])], [], module, mode)
            return " ".join(space["failed"])

        library = torch.library.Library("fusescope_user", "FRAGMENT")
        library.define("reduce(Tensor x, int address) -> Tensor")
        library.impl("reduce", lambda x, address: ran.append(address) or torch.empty_like(x), "CompositeExplicitAutograd")
        space["own_words"].update(("fusescope_user", "reduce"))
        reduce = torch.ops.fusescope_user.reduce.default

        # An ordinary pattern: PyTorch traces it again with the numbers of the match.
        fusion.patterns = pm.PatternMatcherPass()
        search = lambda x, address: torch.relu(reduce(x, address))  # noqa: E731
        pm.register_replacement(search, lambda x, address: x, [torch.zeros(4)], pm.fwd_only, fusion.patterns, scalar_workaround={"address": 7})
        ran.clear()

        def matched(build):
            x = build.placeholder("x", "x", "f32[4][1]cpu")
            made = build.call("a", reduce, (x, address), {}, "f32[4][1]cpu")
            return build.output((build.call("r", aten.relu.default, (made,), {}, "f32[4][1]cpu"),))

        self.assertEqual((apply("apply", matched), ran), ("", []))
        space["own_operators"].add("fusescope_user::reduce")  # of the files: its kernel is the user's code
        for known in ("may_call", "reaches_modes"):
            space[known].cache_clear()
        self.assertEqual((apply("apply", matched), ran[:1]), ("", [address]))

        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "precious")
            file.write_text("precious")

            def mapped(build):
                storage = build.call("s", "untyped_storage", (build.get_attr("c", "c", "f32[4][1]cpu", [1.0] * 4),), {}, None, **method)
                found = build.call("f", "from_file", (storage, str(file), True, 16), {}, None, **method)
                return build.output((build.call("w", "fill_", (found, 65), {}, None, **method),))

            def beside(build):
                constant = build.get_attr("c", "c", "f32[4][1]cpu", [1.0] * 4)
                view = build.call("v", torch.ops.inductor._reinterpret_tensor.default, (constant, [1], [1], 1 << 62), {}, None)
                return build.output((build.call("i", aten.add_.Tensor, (view, 7.0), {}, None),))

            def of_number(build):
                size = build.placeholder("s", "s", "Sym(s0)")
                return build.output((build.call("m", max, (3, size), {"key": reduce}, None),))

            def composite(target):  # its kernel runs before any mode, with bounds from the graph
                def made(build):
                    constant = build.get_attr("c", "c", "f32[4][1]cpu", [1.0] * 4)
                    return build.output((build.call("q", target, (constant, 4, 200, 0.16, 8), {}, None),))

                return made

            def behind(build):
                c = build.get_attr("c", "c", "f32[4, 4][4, 1]cpu", [[1.0] * 4] * 4)
                cell = build.call("q", torch.quantized_lstm_cell, (c, [c], *[c] * 8, 1.0, 1.0, 0, 0), {}, "f32[4, 4][4, 1]cpu")
                return build.output((cell,))

            # Code of the user may call the target below all modes.
            keys = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)
            fusion.patterns = Runs(lambda module: lambda *_: aten.choose_qparams_optimized.default.redispatch(keys, torch.ones(4), 4, 200, 0.16, 8))
            self.assertRegex(apply("own", of_number), "does more than compute")
            for run in (lambda module: torch.fx.Interpreter(module).run, lambda module: module, lambda module: module.forward):
                for target in (aten.choose_qparams_optimized.default, aten.choose_qparams_optimized, torch.choose_qparams_optimized):
                    fusion.patterns = Runs(run)
                    self.assertRegex(apply("own", composite(target)), "does more than compute|data is not allocated")
                fusion.patterns = Runs(run)
                self.assertRegex(apply("own", mapped), "untyped_storage does more than compute")
                self.assertEqual(file.read_text(), "precious")
                apply("own", beside)  # a kernel ended the interpreter
                self.assertRegex(apply("own", behind), "quantized_lstm_cell does more than compute")
                self.assertRegex(apply("own", of_number), "is named and never called")
        # PyTorch looks a number up in its table of dtypes, or memory formats, without a check: a segmentation fault.
        build = space["GraphBuilder"]()
        x = build.placeholder("x", "x", "f32[4][1]cpu")
        for op, key, value in ((aten.clone, "memory_format", -1), (aten.sum, "dtype", 200), (aten.empty_like, "memory_format", -1)):
            self.assertNotIn("val", build.call("n", op.default, (x,), {key: value}, None).meta)
        self.assertIn("val", build.call("n", aten.sum.default, (x,), {"dtype": torch.float64}, None).meta)
        # An operator of vmap that checks nothing, from a graph alone.
        y = build.placeholder("y", "y", "f32[4, 4][4, 1]cpu")
        self.assertNotIn("val", build.call("n", aten._remove_batch_dim.default, (y, 4, 15, 1 << 40), {}, None).meta)
        self.assertNotIn("val", build.call("n", aten._foreach_copy.default, ([x], [x, x, x], True), {}, None).meta)  # lists of two lengths
        # Takes the second tensor of a list without looking at its length: a segmentation fault, from a graph alone.
        tens = (y, [y], *[y] * 8, 1.0, 1.0, 0, 0)
        self.assertNotIn("val", build.call("n", torch.quantized_lstm_cell, tens, {}, None).meta)
        self.assertNotIn("val", build.call("n", aten._stack.default, ([], 0), {}, None).meta)  # asks the first of no tensors for its shape
        # Takes what lies behind the only size of a tensor for its second: a call through memory that was freed, from a graph alone.
        flat, ranked = (build.placeholder("f", "f", val) for val in ("f32[s0]cpu", "f32[4, s0]cpu"))
        fx = torch.fx.Interpreter(torch.fx.GraphModule({}, torch.fx.Graph()))
        for target in (aten.batch_norm.default, torch.batch_norm, torch.nn.functional.batch_norm):
            for of in (flat, ranked) * 3:
                build.call("p", aten.permute.default, (ranked, [1, 0]), {}, "i8[3]cpu")
                given = (of, None, None, None, None, True, 0.1, 1e-5, False)
                given = (of, None, None, None, None, True) if isinstance(target, types.FunctionType) else given
                self.assertEqual("val" in build.call("n", target, given, {}, None).meta, of is ranked)
            with space["guarded"](), contextlib.redirect_stderr(None), self.assertRaisesRegex(NotImplementedError, "two dimensions"):
                fx.call_function(target, (flat.meta["val"], *given[1:]), {})
            # A pattern's own call, traced again with a tensor of the graph.
            with space["guarded"](), build.mode, contextlib.redirect_stderr(None), self.assertRaisesRegex(NotImplementedError, "two dimensions"):
                target(flat.meta["val"], *given[1:])
        dynamic = build.placeholder("d", "d", "f32[s0, 4][4, 1]cpu")  # its sizes are freed before they are read
        for target, how in ((aten.squeeze_.dim, {}), ("squeeze_", method)):
            self.assertNotIn("val", build.call("n", target, (dynamic, 1), {}, None, **how).meta)
        # What is neither tagged nor ruled in Python is not called; nor is anything whose type the text has, but for views.
        for op, given in ((aten.shallow_copy_data_, (x, x)), (aten.resize_as_, (x, y)), (aten.slice_inverse, (x, y, 0, 0, 1 << 40, 1))):
            self.assertNotIn("val", build.call("n", op.default, given, {}, None).meta)
        called = []
        library.define("typed(Tensor x, int size) -> Tensor")
        torch.library.register_fake("fusescope_user::typed", lambda x, size: called.append(size) or torch.empty_like(x), lib=library)
        typed = torch.ops.fusescope_user.typed.default
        for op in (typed, torch.ops.higher_order.auto_functionalized):
            wrapped = ((op, (x, 9), {}, "i8[3][1]cpu"), (op, (typed,), {"x": x, "size": 9}, ("i8[3][1]cpu",)))[op is not typed]
            found = build.call("t", *wrapped).meta["val"]
            self.assertEqual((called, (found[0] if op is not typed else found).dtype), ([], torch.int8))
        build.call("t", typed, (x, 9), {}, None)
        self.assertEqual(called, [9])
        for view, target, more in (("v", aten.view.default, ([2, 2],)), ("r", torch.reshape, ([2, 2],)), ("a", aten.add_.Tensor, (1,))):
            val = build.call(view, target, (x, *more), {}, "f32[4][1]cpu" if view == "a" else "f32[2, 2][2, 1]cpu").meta["val"]
            self.assertEqual(val.untyped_storage()._cdata, x.meta["val"].untyped_storage()._cdata)
        # Nothing stays behind.
        self.assertEqual(torch.ops.aten.clone(torch.ones(2)).sum().item(), 2.0)

    @unittest.skipUnless(importlib.util.find_spec("torch"), "needs PyTorch")
    def test_graphs_call_nothing_without_a_rule(self):
        import torch
        from torch._inductor.fx_utils import FakeTensorUpdater
        from torch._inductor.virtualized import V

        space, ran, aten = {"__name__": "exported"}, [], torch.ops.aten
        for name in RUNTIME:
            exec(compile(SOURCE.with_name(name).read_text("utf-8"), name, "exec"), space)
        library = torch.library.Library("fusescope_ruled", "FRAGMENT")
        library.define("known(Tensor x) -> Tensor")
        torch.library.register_fake("fusescope_ruled::known", lambda x: ran.append("known") or torch.empty_like(x), lib=library)
        known, method = torch.ops.fusescope_ruled.known.default, {"op": "call_method"}
        calls = {"k": (known, {}), "f": (torch.softmax, {}), "m": ("cumsum", method), "a": (aten.cumprod.default, {}), "p": (aten.cumsum, {})}
        build = space["GraphBuilder"]()
        x = build.placeholder("x", "x", "f32[4][1]cpu")
        for name, (target, how) in calls.items():
            for val in (None, "i8[3][1]cpu"):
                args = (x,) if target is known else (x, 0)
                with self.subTest(name), space["guarded"](), contextlib.redirect_stderr(None):
                    node = build.named(name, target, args, {}, val, **how)
                    self.assertEqual(node.meta.get("val") is None, val is None)
                    fx = torch.fx.Interpreter(torch.fx.GraphModule({}, torch.fx.Graph()))
                    with self.assertRaisesRegex(NotImplementedError, "no rule for it"), build.mode:
                        (fx.call_method if how else fx.call_function)(target, tuple(a.meta["val"] if a is x else a for a in args), {})
        self.assertEqual(ran, [])
        # Numbers and lists of Python that grow.
        node, endless = torch.fx.Interpreter(torch.fx.GraphModule({}, torch.fx.Graph())), [0] * 600000
        with space["guarded"](), contextlib.redirect_stderr(None):
            for call in ((operator.pow, (10, 10**9)), (operator.mul, (10**10, [0])), (operator.add, (endless, endless)), (round, (3, -(10**9)))):
                with self.subTest(call[0]), self.assertRaisesRegex(NotImplementedError, "too large"):
                    node.call_function(*call, {})
            # PyTorch looks at no pointer of a device that it lacks: a segmentation fault.
            for call in ((aten.full.default, ([4], 1.0)), (torch.hann_window, (8,))):
                with self.subTest(call[0]), self.assertRaisesRegex(NotImplementedError, "Vulkan"):
                    node.call_function(*call, {"device": "vulkan"})
            with self.assertRaisesRegex(NotImplementedError, "Vulkan"):
                torch.ones(2).to("vulkan")
            self.assertEqual(build.value("f32[4]vulkan").device.type, "vulkan")  # a fake one
            with self.assertRaisesRegex(NotImplementedError, "too large"):
                node.call_function(aten.full.default, ([1 << 38], 1.0), {})
            self.assertEqual(build.value("f32[1099511627776, 4]cpu").shape, (1 << 40, 4))  # a fake one has no memory
            few = [node.call_function(*call, {}) for call in ((operator.pow, (2, 3)), (operator.add, ((1,), (2,))), (operator.getitem, ([7], 0)))]
        self.assertEqual(few, [8, (1, 2), 7])
        # Recording a call is none.
        build.named("s", torch.stack, ([x, x],), {}, None)
        with space["guarded"](), contextlib.redirect_stderr(None):
            made = torch.fx.Transformer(torch.fx.symbolic_trace(lambda x: torch.stack([x, x]))).transform()
            with self.assertRaisesRegex(NotImplementedError, "no rule"):
                node.call_function(torch.stack, ([x.meta["val"]],), {})
        self.assertEqual([n.target for n in made.graph.nodes][1], torch.stack)
        # What the user's files call is no call of a node.
        with space["guarded"](), build.mode:
            known(x.meta["val"])
            self.assertEqual((ran, aten.cumprod.default(x.meta["val"], 0).shape), (["known"], (4,)))
        # A built-in pass that computes again what has changed, or unwraps.
        ran.clear()
        wrapped = build.named("w", torch.ops.higher_order.auto_functionalized, (aten._foreach_zero_.default,), {"self": [x]}, None)
        changed = build.named("c", known, (x,), {}, "f32[4][1]cpu")
        module, mode = build.output((wrapped, changed))
        with space["guarded"](), V.set_fake_mode(mode), contextlib.redirect_stderr(None):
            updater = FakeTensorUpdater(module)
            changed.args = (build.call("r", aten.relu.default, (x,), {}, None),)
            changed.prepend(changed.args[0])
            updater.incremental_update()
            stages = [("built-in", ["inductor:decompose_auto_functionalized"])]
            space["run_stages"](space["Passes"]([]), stages, [], module, mode)
        self.assertEqual(ran, [])
        self.assertRegex(space["failed"][0], "_foreach_zero_.default is named and never called here: Fusescope has no rule")
        # A call that a rule refuses is not made, where others of the operator are.
        build = space["GraphBuilder"]()
        x = build.placeholder("x", "x", "f32[4][1]cpu")
        refused = build.refused("r", known, (x,), {}, "f32[4][1]cpu")
        other = build.call("o", known, (x,), {}, None)
        self.assertEqual((ran, other.meta["val"].shape, refused.meta["val"].shape), (["known"], (4,), (4,)))
        module, mode = build.output((refused, other))
        ran.clear()
        with space["guarded"](), V.set_fake_mode(mode), contextlib.redirect_stderr(None):
            with self.assertRaisesRegex(NotImplementedError, "rule refuses"):
                torch.fx.Interpreter(module).run(x.meta["val"])
            updater = FakeTensorUpdater(module)
            refused.args = (build.call("s", aten.relu.default, (x,), {}, None),)
            refused.prepend(refused.args[0])
            updater.incremental_update()
        self.assertEqual(ran, [])
        # Sizes take a minute at most too.
        with unittest.mock.patch.object(space["faulthandler"], "dump_traceback_later") as begun:
            build.sym("Max(s0, s1)")
            build.value("f32[s0, 4]cpu")
        self.assertEqual((begun.call_count, space["_limits"]), (4, []))
        # A module of the graph whose name is that of a method says nothing of the method.
        build.named("n", "squeeze_", (x, 0), {}, None, **method)
        build.call("o", "squeeze_", (x,), {}, None, op="call_module")
        self.assertTrue(space["has_no_rule"]("squeeze_"))

    @unittest.skipUnless(importlib.util.find_spec("torch"), "needs PyTorch")
    def test_ends_at_a_value_that_takes_without_end(self):
        runtime = [str(SOURCE.with_name(name)) for name in RUNTIME]
        script = f"""
space = {{"__name__": "exported"}}
for name in {runtime!r}:
    exec(compile(open(name, encoding="utf-8").read(), name, "exec"), space)
import torch
build = space["GraphBuilder"]()
x, y = (build.placeholder(name, name, val) for name, val in (("x", "f32[4][1]cpu"), ("y", "f32[1000000000, 4][4, 1]cpu")))
build.call("a", torch.ops.aten.relu.default, (x,), {{}}, None)
space["_LARGEST"] = 300 << 20
assert "val" not in build.call("p", torch.ops.aten.chunk.default, (y, 10**8), {{}}, None).meta
assert "val" in build.call("q", torch.ops.aten.chunk.default, (y, 4), {{}}, None).meta
space["_LONGEST"] = 2
print("begins", flush=True)
build.call("c", torch.ops.aten.combinations.default, (x, 1 << 40), {{}}, None)
"""
        ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
        self.assertEqual((ran.stdout, ran.returncode), ("begins\n", 1), ran.stderr)
        self.assertRegex(ran.stderr, "Timeout.*[^$]*in _run")


if __name__ == "__main__":
    unittest.main()
