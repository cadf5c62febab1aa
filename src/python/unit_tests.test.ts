import { beforeAll, describe, expect, test } from 'vitest'
import { read } from '../fx'
import { start, type Started } from './testing/start'
import type { PythonTest } from './types'

let py: Started
beforeAll(async () => {
  py = await start()
})

const SHOWN = `class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[4][1]cpu"):
        relu: "f32[4][1]cpu" = torch.ops.aten.relu.default(x);  x = None
        neg: "f32[4][1]cpu" = torch.ops.aten.neg.default(relu);  relu = None
        return (neg,)
`

const FUSION = {
  name: 'fusion.py',
  text: `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
patterns = PatternMatcherPass()
register_replacement(lambda x: -torch.relu(x), lambda x: torch.sigmoid(x), [torch.empty(4)], fwd_only, patterns)
def test_in_a_file_of_another_name():
    assert False`,
}

const tests = (text: string, name = 'test_fusion.py'): PythonTest[] => {
  const run = py.run([FUSION, { name, text }])
  if (run.failure) throw new Error(run.failure.traceback)
  return py.host.runTests(read(SHOWN, 'g.txt').graph).tests
}
const outcomes = (found: readonly PythonTest[]) =>
  found.map((t) => [t.name, t.outcome, t.message].filter((v) => v !== null).join(' | '))

describe('unit tests of a pass', () => {
  test('a pass is applied to a graph that the test traced, and to a copy of the shown one', () => {
    const text = `import torch
from fusion import patterns
from torch._inductor.pattern_matcher import fwd_only
def test_traced():
    gm = fwd_only(lambda x: -torch.relu(x) + -torch.relu(-x), [torch.empty(4)])
    assert patterns.apply(gm.graph) == 2
    assert len(gm.graph.find_nodes(op="call_function", target=torch.ops.aten.sigmoid.default)) == 2
    assert not gm.graph.find_nodes(op="call_function", target=torch.ops.aten.relu.default)
def test_shown(graph):
    assert patterns.apply(graph) == 1
    assert patterns.apply(graph) == 0
def test_shown_is_fresh(graph):
    assert patterns.apply(graph) == 1`
    expect(outcomes(tests(text))).toEqual([
      'test_traced | passed',
      'test_shown | passed',
      'test_shown_is_fresh | passed',
    ])
  })

  test('a failing comparison reports both sides, at its line', () => {
    const [count, plain, raised] = tests(`from fusion import patterns
def test_count(graph):
    count = 1 + 1
    assert patterns.apply(graph) == count
def test_plain(graph):
    assert not graph.nodes
def test_raised():
    {}["a"]`)
    expect(count).toMatchObject({ file: 'test_fusion.py', line: 2, outcome: 'failed', message: '1 == 2 is false' })
    expect(count!.error!.frames).toEqual([
      { file: 'test_fusion.py', line: 4, fn: 'test_count', code: 'assert patterns.apply(graph) == count' },
    ])
    expect(plain!.message).toBe('assert not graph.nodes')
    expect(raised!.message).toBe("KeyError: 'a'")
  })

  test('parametrize, fixtures, raises and skips work as in pytest', () => {
    const found = tests(`import pytest, torch
torn = []
@pytest.fixture
def width():
    yield 8
    torn.append(8)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("n, m", [(1, 2), pytest.param(3, 4, id="wide")])
def test_each(n, m, dtype, width):
    assert n < m and width == 8
def test_torn():
    assert torn == [8, 8, 8, 8]
@pytest.mark.skipif(True, reason="needs a GPU")
def test_gpu():
    assert False
@pytest.mark.slow
def test_raises():
    with pytest.raises(ValueError, match="no .*") as info:
        raise ValueError("no such thing")
    assert info.type is ValueError
def test_does_not_raise():
    with pytest.raises((ValueError, KeyError)):
        pass
def test_unknown(nobody):
    pass
class TestGroup:
    def test_method(self):
        pytest.skip("later")`)
    expect(outcomes(found)).toEqual([
      'test_each[1-2-torch.float16] | passed',
      'test_each[1-2-torch.bfloat16] | passed',
      'test_each[wide-torch.float16] | passed',
      'test_each[wide-torch.bfloat16] | passed',
      'test_torn | passed',
      'test_gpu | skipped | needs a GPU',
      'test_raises | passed',
      'test_does_not_raise | failed | did not raise ValueError or KeyError',
      "test_unknown | failed | LookupError: fixture 'nobody' not found; there are: graph, width",
      'TestGroup.test_method | skipped | later',
    ])
  })

  test('unittest cases run with their setUp', () => {
    const found = tests(
      `import unittest
from fusion import patterns
class TestFusion(unittest.TestCase):
    def setUp(self):
        self.expected = 3
    def test_equal(self):
        self.assertEqual(self.expected, 2)
    @unittest.skip("no")
    def test_not(self):
        pass
if __name__ == "__main__":
    unittest.main()`,
      'tests/fusion_test.py',
    )
    expect(outcomes(found)).toEqual(['TestFusion.test_equal | failed | 3 != 2', 'TestFusion.test_not | skipped | no'])
    expect(found[0]).toMatchObject({ file: 'tests/fusion_test.py', line: 6 })
    expect(found[0]!.error!.frames.at(-1)!.line).toBe(7)
  })

  test('test files are isolated: one that cannot be imported fails alone, and its passes do not join the workspace', () => {
    const files = [
      { name: 'conftest.py', text: 'import pytest\n@pytest.fixture\ndef one():\n    return 1' },
      { name: 'test_typing.py', text: 'def test_half(:' },
      {
        name: 'test_own.py',
        text: `import numpy.testing
from torch._inductor.pattern_matcher import PatternMatcherPass
own = PatternMatcherPass()
def test_one(one):
    assert one == 1`,
      },
    ]
    const run = py.run([FUSION, ...files])
    expect([run.failure, run.passes.map((p) => p.variable), run.stubs]).toEqual([null, ['patterns'], []])
    const { tests: found, stubs } = py.host.runTests(read(SHOWN, 'g.txt').graph)
    expect(outcomes(found)).toEqual(['import | failed | SyntaxError: invalid syntax', 'test_one | passed'])
    expect(found[0]!.error!.frames.at(-1)).toMatchObject({ file: 'test_typing.py', line: 1 })
    expect(stubs.map((s) => [s.module, s.source?.file, s.source?.line])).toEqual([['numpy.testing', 'test_own.py', 1]])
  })

  test('an exception in a pass propagates from apply, and Python cannot apply a pass to the shown graph', () => {
    const found = tests(`import pytest, torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
checked = PatternMatcherPass()
register_replacement(lambda x: torch.relu(x), lambda x: x, [torch.empty(4)], fwd_only, checked, extra_check=lambda m: 1 / 0)
def test_raises(graph):
    with pytest.raises(ZeroDivisionError):
        checked.apply(graph)`)
    expect(outcomes(found)).toEqual(['test_raises | passed'])
    expect(py.host.runTests(read(SHOWN, 'g.txt').graph).tests).toHaveLength(1)
  })

  test('the base classes of PyTorch’s own tests run, with its pools and the order of its passes', () => {
    const found = tests(`import torch
from torch.fx import symbolic_trace
from torch.fx.passes.infra.pass_manager import _topological_sort_passes, this_before_that_pass_constraint
from torch.testing._internal.common_utils import IS_WINDOWS, TestCase, run_tests
from torch.testing._internal.jit_utils import JitTestCase
class TestOrder(TestCase):
    def test_order(self):
        first, second = lambda x: x, lambda x: x
        wanted = [this_before_that_pass_constraint(second, first)]
        self.assertEqual(_topological_sort_passes([first, second], wanted), [second, first])
    def test_fails(self):
        self.assertTrue(IS_WINDOWS)
class TestPools(JitTestCase):
    def test_pools(self):
        x = torch.empty(1, 3, 8, 8)
        nn = torch.nn
        pools = [nn.MaxPool2d(2), nn.AvgPool2d(kernel_size=2, stride=1), nn.AdaptiveAvgPool2d(1), nn.AdaptiveMaxPool2d((2, 4))]
        self.assertEqual([tuple(p(x).shape[2:]) for p in pools], [(4, 4), (7, 7), (1, 1), (2, 4)])
        self.assertExpectedInline(symbolic_trace(nn.Sequential(pools[0])).code.strip().splitlines()[-1].strip(), "return _0")
if __name__ == "__main__":
    run_tests()`)
    expect(outcomes(found)).toEqual([
      'TestOrder.test_fails | failed | False is not true',
      'TestOrder.test_order | passed',
      'TestPools.test_pools | passed',
    ])
  })
})
