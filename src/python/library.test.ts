import { beforeAll, describe, expect, test } from 'vitest'
import { printedBy, start, type Started } from './testing/start'

/** Recorded on PyTorch 2.14.1: fwd_only on fake tensors prints these graphs. */
let py: Started
beforeAll(async () => void (py = await start()))

const HEAD = `import torch
from torch.library import Library, define, impl, register_fake
from torch._inductor.pattern_matcher import fwd_only
lib = Library("mine", "FRAGMENT")
def show(fn):
    print([str(n.target) for n in fwd_only(fn, [torch.empty(2, 3)]).graph.nodes][1:-1])
`
const printed = (source: string): string[] => {
  const run = py.run(HEAD + source)
  if (run.failure) throw new Error(run.failure.traceback)
  return run.console.map((line) => line.text)
}
const refusal = (source: string): string => py.run(HEAD + source).failure?.message ?? ''

test("hasattr of torch.ops is False for an operator of a user's namespace until it is declared", () => {
  const text = `import torch
print(hasattr(torch.ops.mine, "fused"), getattr(torch.ops.mine, "fused", None), hasattr(torch.ops.vllm, "later"), hasattr(torch.ops.quantized, "add"))
if not hasattr(torch.ops.mine, "fused"):
    torch.library.define("mine::fused", "(Tensor x) -> Tensor")
print(hasattr(torch.ops.mine, "fused"), torch.ops.mine.fused, torch.ops.mine.other, hasattr(torch.ops.aten, "relu"), hasattr(torch.ops.aten, "rleu"))
`
  expect(printedBy(py, text).trim()).toBe('False None False True\nTrue mine.fused mine.other True False')
})

test('a try that catches AttributeError asks as hasattr does; another use names an operator', () => {
  const text = `import torch
def find(name):
    try:
        return getattr(torch.ops.mine, name)
    except (AttributeError, RuntimeError):
        return None
try:
    op = torch.ops.mine.fused
except AttributeError:
    op = "none"
try:
    other = torch.ops.mine.other
except ImportError:
    other = "none"
print(op, find("fused"), other, hasattr(torch.ops, "nowhere"))
torch.library.define("mine::fused", "(Tensor x) -> Tensor")
print(find("fused"))
`
  expect(printedBy(py, text).trim()).toBe('none None mine.other True\nmine.fused')
})

test('a second custom_op of a name replaces the first, a second define is an error', () => {
  expect(
    printed(`@torch.library.custom_op("mine::twice", mutates_args=[])
def twice(x: torch.Tensor) -> torch.Tensor:
    return x
@torch.library.custom_op("mine::twice", mutates_args=[])
def twice(x: torch.Tensor, n: int = 2) -> torch.Tensor:
    return x
print(torch.ops.mine.twice.default._schema)`),
  ).toEqual(['mine::twice(Tensor x, SymInt n=2) -> Tensor'])
  expect(refusal('for _ in range(2): lib.define("again(Tensor x) -> Tensor")')).toMatch(/multiple times/)
})

test('hasattr of a namespace of the catalog is True for its operators, and names the stub for others', () => {
  const text = `import torch
print(hasattr(torch.ops._C, "rms_norm"), hasattr(torch.ops._C, "mine"), getattr(torch.ops.own, "fused"), getattr(torch.ops.own, "later", None))
if not hasattr(torch.ops._C, "mine"):
    torch.library.define("_C::mine", "(Tensor x) -> Tensor")
print(hasattr(torch.ops._C, "mine"), hasattr(torch.ops.mkldnn, "_linear_pointwise"))
`
  const run = py.run(text)
  expect(run.console.map((line) => line.text.trim())).toEqual(['True False own.fused None', 'True True'])
  const decided = run.stubs.flatMap((s) => s.decided ?? []).map((d) => [d.module, d.asked, d.answer, d.source?.line])
  expect(decided).toEqual([
    ['torch.ops._C', 'mine', 'False (the catalog of _C may lack it)', 2],
    ['torch.ops._C', 'mine', 'False (the catalog of _C may lack it)', 3],
    ['torch.ops.mkldnn', '_linear_pointwise', "True (PyTorch's operators are not listed here)", 5],
  ])
})

describe('torch.library', () => {
  test('an implementation for Meta gives shapes, in the older decorator form too', () => {
    expect(
      printed(`lib.define("op(Tensor x, Tensor y) -> (Tensor, Tensor)")
@torch.library.impl(lib, "op", "Meta")
def op_meta(x, y):
    return torch.empty_like(x), torch.empty_like(y)
show(lambda x: torch.ops.mine.op(x, x)[0])`),
    ).toEqual(["['mine.op.default', '<built-in function getitem>']"])
  })

  test('a composite body is traced in place of its operator', () => {
    expect(
      printed(`print(lib.define("soft(Tensor x) -> Tensor"))
lib.impl("soft", lambda x: torch.relu(x) + 1)
show(lambda x: torch.ops.mine.soft(x))
show(torch.ops.mine.soft.default)
@define(lib, "wave(Tensor x) -> Tensor")
def wave(x):
    return x.sin()
show(torch.ops.mine.wave)`),
    ).toEqual([
      'soft',
      "['aten.relu.default', 'aten.add.Tensor']",
      "['aten.relu.default', 'aten.add.Tensor']",
      "['aten.sin.default']",
    ])
  })

  test('an explicit composite and a kernel for any device give shapes, and the operator stays', () => {
    expect(
      printed(`lib.define("a(Tensor x) -> Tensor")
lib.impl("a", lambda x: torch.relu(x) + 1, "CompositeExplicitAutograd")
show(lambda x: torch.ops.mine.a(x))
define("mine::b", "(Tensor x) -> Tensor")
@impl("mine::b", "default")
def b(x):
    return torch.relu(x)
show(lambda x: torch.ops.mine.b(x))`),
    ).toEqual(["['mine.a.default']", "['mine.b.default']"])
  })

  test.each([
    ['define("foo", "(Tensor x) -> Tensor")', 'Expected `qualname` to be of the form "namespace::name", but got foo.'],
    ['define("m::foo", "foo(Tensor x) -> Tensor")', 'expected schema to look like e.g. "(Tensor x) -> Tensor"'],
    ['Library("prim", "DEF")', 'prim is a reserved namespace.'],
    ['lib.impl("op", 3)', "Input function is required to be a callable but found type <class 'int'>"],
    ['lib.impl("other::op", abs)', 'Explicitly provided namespace (other) in operator name does not match'],
    ['lib.define("op")', 'Tried to parse a function schema but only the operator name was given'],
  ])('%s raises what PyTorch raises', (source, message) => expect(refusal(source)).toContain(message))
})
