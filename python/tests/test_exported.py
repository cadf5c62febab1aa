"""What an exported script imports, without PyTorch."""

import ast
import contextlib
import functools
import pathlib
import re
import sys
import types
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).parents[2]
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

    def test_writes_no_bytecode(self):
        for name in ("__pycache__/fusion.cpython-313.pyc", "fusion.so", "../fusion.py"):
            with self.subTest(name), self.assertRaisesRegex(ValueError, "is no "):
                stages()["write"]("files", {name: ""})

    def test_calls_no_operator_that_may_touch_a_file(self):
        class Operator:
            def __init__(self, name):
                self.namespace, self._schema = name.partition("::")[0], types.SimpleNamespace(name=name)

        space = {"re": re, "OpOverload": Operator, "pytree": types.SimpleNamespace(tree_leaves=lambda v: [*v[0], *v[1].values()])}
        tree = ast.parse(SOURCE.with_name("graphs.py").read_text("utf-8"))
        wanted = [n for n in tree.body if "_may_touch_files" == getattr(n, "name", "") or "_FILE_NAMES =" in ast.unparse(n)[:20]]
        exec(compile(ast.Module(wanted, []), "graphs.py", "exec"), space)

        def may(target, *args, **kwargs):
            return space["_may_touch_files"](types.SimpleNamespace(target=target, args=args, kwargs=kwargs))

        self.assertTrue(may(Operator("image::write_file"), "x", 1))
        self.assertTrue(may(Operator("aten::from_file"), "x"))
        self.assertTrue(may(Operator("lib::run"), text="/home/x"))
        self.assertTrue(may(None, Operator("lib::run"), text="/home/x"))
        self.assertTrue(may(None, None, Operator("image::write_file"), "x", 1))
        self.assertTrue(may(Operator("inductor::_reinterpret_tensor"), 1))
        self.assertFalse(may(Operator("vllm::all_reduce"), "tp:0"))
        self.assertFalse(may(Operator("aten::_assert_scalar"), 1, "u0 // 2 > 0"))

    def test_computes_no_operator_that_a_library_registers_for_all_keys(self):
        class Operator:
            def __init__(self, namespace, *keys):
                self.namespace, self.keys, self._schema = namespace, keys, types.SimpleNamespace(name=f"{namespace}::op", overload_name="")

            def name(self):
                return self

        found = types.SimpleNamespace(
            _dispatch_find_schema_or_throw=lambda *_: None, _dispatch_has_kernel_for_dispatch_key=lambda op, key: key in op.keys
        )
        space = {"OpOverload": Operator, "torch": types.SimpleNamespace(_C=found), "functools": functools}
        tree = ast.parse(SOURCE.with_name("graphs.py").read_text("utf-8"))
        wanted = [n for n in tree.body if getattr(n, "name", "") == "_computes" or ast.unparse(n).startswith(("_EFFECTS =", "_PRINTS ="))]
        exec(compile(ast.Module(wanted, []), "graphs.py", "exec"), space)
        computes = space["_computes"]
        self.assertTrue(computes(Operator("aten", "CompositeImplicitAutograd")))
        self.assertTrue(computes(Operator("_C", "CUDA")))
        self.assertTrue(computes(Operator("vllm", "CompositeExplicitAutograd", "Meta")))
        self.assertFalse(computes(Operator("_C_custom_ar", "CompositeImplicitAutograd")))
        self.assertFalse(computes(Operator("_C_custom_ar", "CompositeExplicitAutograd")))


if __name__ == "__main__":
    unittest.main()
