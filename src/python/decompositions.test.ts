/** get_decomp_fn: the table by which a function is traced. */
import { beforeAll, describe, expect, test } from 'vitest'
import { MATCHER_IMPORTS as HEAD, printedBy, start, type Started } from './testing/start'

let py: Started
beforeAll(async () => {
  py = await start()
})

/** Targets of the trace of silu, then softmax, by the table. */
const targets = (table: string): string =>
  printedBy(
    py,
    `${HEAD}from torch._decomp import core_aten_decompositions, get_decompositions
from torch._inductor.decomposition import select_decomp_table
def f(x): return torch.softmax(torch.nn.functional.silu(x), -1)
def double(x): return x * 2
def table():
    return ${table}
gm = fwd_only(f, [torch.empty(4, 8)], get_decomp_fn=table)
print(*[str(n.target).removeprefix("aten.") for n in gm.graph.nodes if n.op == "call_function"])`,
  )

describe('get_decomp_fn', () => {
  const SOFTMAX = 'amax.default sub.Tensor exp.default sum.dim_IntList div.Tensor'
  const SILU = 'neg.default exp.default add.Tensor div.Tensor'

  test.each([
    ['Inductor’s own', 'select_decomp_table()', `${SILU} ${SOFTMAX}`],
    ['none', '{}', 'silu.default _softmax.default'],
    ['chosen operators', 'get_decompositions([torch.ops.aten.silu])', 'sigmoid.default mul.Tensor _softmax.default'],
    ['PyTorch’s core', 'core_aten_decompositions()', 'sigmoid.default mul.Tensor _softmax.default'],
    [
      'Inductor’s without one',
      '{k: v for k, v in select_decomp_table().items() if k != torch.ops.aten._softmax.default}',
      `${SILU} _softmax.default`,
    ],
    ['a function of the user', '{torch.ops.aten.silu.default: double}', 'mul.Tensor _softmax.default'],
    ['one that declines', '{torch.ops.aten.silu.default: lambda x: NotImplemented}', 'silu.default _softmax.default'],
  ])('%s', (_, table, expected) => expect(targets(table)).toBe(expected))

  test('the core table has the variants for out= of PyTorch, which code takes out by name', () => {
    const text =
      'from torch._decomp import core_aten_decompositions\nt = core_aten_decompositions()\nt.pop(torch.ops.aten.sum.out)'
    expect(
      printedBy(py, `${HEAD}${text}\nprint(torch.ops.aten.sum.out in t, torch.ops.aten.eye.m_out in t)`).trim(),
    ).toBe('False True')
  })

  test('the versions of torch._decomp that are not Inductor’s are refused by name', () => {
    const { failure } = py.run(`${HEAD}from torch._decomp import get_decompositions
fwd_only(lambda x: x.cumsum(0) + torch.cat([x, x]), [torch.empty(1)], get_decomp_fn=lambda: get_decompositions([torch.ops.aten.cat]))`)
    expect(failure).toMatchObject({
      type: 'NotImplementedError',
      message: "Fusescope has only Inductor's decomposition of aten.cat.default",
    })
  })
})
