import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clone, eliminateDeadCode, printGraph, read, stableTopologicalSort, type Graph } from '../fx'
import { isImpure } from './purity'

interface Case {
  id: string
  expected: { passes?: { graph_after?: string }[]; graph_after_dce?: string; not_topologically_sorted?: string }
}

const cases = readFileSync(new URL('../../conformance/cases/custom_op.public.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case)
  .filter((c) => c.expected.passes?.at(-1)?.graph_after !== undefined)

describe('after the recorded passes', () => {
  it.each(cases)('$id: removes the same dead code as PyTorch', ({ id, expected }) => {
    const text = expected.passes!.at(-1)!.graph_after!
    const { graph } = clone(read(text, id).graph)
    expect(printGraph(graph)).toBe(text)
    const first = eliminateDeadCode(graph, (n) => isImpure(n))
    expect(first.ok ? undefined : first.error).toBe(expected.not_topologically_sorted)
    if (!first.ok) {
      expect(printGraph(graph)).toBe(text)
      expect(stableTopologicalSort(graph).ok).toBe(true)
      expect(eliminateDeadCode(graph, (n) => isImpure(n)).ok).toBe(true)
    }
    expect(printGraph(graph)).toBe(expected.graph_after_dce)
  })
})

const graph = (...lines: string[]): Graph => {
  const reading = read(lines.join('\n'), 'test')
  expect(reading.problems).toEqual([])
  return reading.graph
}
const names = (g: Graph): string => [...g.nodes()].map((n) => n.name).join(' ')

describe('eliminateDeadCode', () => {
  const g = (): Graph =>
    graph(
      '%x : [num_users=0] = placeholder[target=x]',
      '%copy : [num_users=0] = call_function[target=torch.ops.aten.copy_.default](args = (%x, %x), kwargs = {})',
      '%rand : [num_users=0] = call_function[target=torch.ops.aten.rand.default](args = ([2],), kwargs = {})',
      '%out : [num_users=0] = call_function[target=torch.ops.aten.mul.out](args = (%x, %x), kwargs = {out: %x})',
      '%set : [num_users=0] = call_function[target=operator.setitem](args = (%x, 0, 1), kwargs = {})',
      '%auto : [num_users=0] = call_function[target=torch.ops.higher_order.auto_functionalized](args = (_C.f.default,), kwargs = {x: %x})',
      '%custom : [num_users=0] = call_function[target=torch.ops._C.f.default](args = (%x,), kwargs = {})',
      '%a : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})',
      '%b : [num_users=0] = call_function[target=torch.ops.aten.relu.default](args = (%a,), kwargs = {})',
      'return x',
    )

  it('keeps nodes with side effects', () => {
    const dead = g()
    expect(eliminateDeadCode(dead, (n) => isImpure(n))).toEqual({ ok: true, value: true })
    expect(names(dead)).toBe('x copy rand out set output')
    expect(eliminateDeadCode(dead, (n) => isImpure(n))).toEqual({ ok: true, value: false })
  })

  it('takes schemas from the caller', () => {
    const dead = g()
    eliminateDeadCode(dead, (n) => isImpure(n, (target) => ({ mutable: target === '_C.f.default' })))
    expect(names(dead)).toBe('x rand set custom output')
  })
})
