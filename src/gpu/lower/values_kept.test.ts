/** Tests graphs in which an operator writes to its argument: the comparison uses the value before the write. */
import { describe, expect, it } from 'vitest'
import { runGraph } from '../run/run_graph'
import { tensor } from '../suite/fixtures'
import type { RunNode, RunProgram, RunReport, RunValue } from '../types'
import { cutUnknown } from './whole_graph'
import { Symbols } from './symbols'

const META = tensor('bfloat16', [4, 32])
const node = (
  name: string,
  target: string,
  args: (string | number)[],
  kwargs: Record<string, RunValue> = {},
): RunNode => ({
  name,
  target,
  args: args.map((a) => (typeof a === 'string' ? { node: a } : a)),
  kwargs,
  meta: META,
})
const INPUTS = [
  { name: 'x', meta: META },
  { name: 'r', meta: META },
  { name: 'w', meta: tensor('bfloat16', [32]) },
]
const run = (unfused: RunProgram, fused: RunProgram): Promise<RunReport> =>
  runGraph({ title: 'graph', unfused, fused }, { device: 'reference' }, () => undefined, new AbortController().signal)

/** neg → abs → fused_add_rms_norm, functional and in place: `abs` is a different tensor after the latter. */
function graphs(first: string): [RunProgram, RunProgram] {
  const functional: RunProgram = {
    inputs: INPUTS,
    nodes: [
      node('neg', 'aten.neg.default', ['x']),
      node('abs', 'aten.abs.default', ['neg']),
      {
        ...node('norm', 'higher_order.auto_functionalized', [], {
          input: { node: 'abs' },
          residual: { node: 'r' },
          weight: { node: 'w' },
          epsilon: 1e-6,
        }),
        args: [{ op: '_C.fused_add_rms_norm.default' }],
      },
      node('out', 'operator.getitem', ['norm', 1]),
    ],
    outputs: ['out'],
  }
  const inPlace: RunProgram = {
    inputs: INPUTS,
    nodes: [
      node(first, 'aten.neg.default', ['x']),
      node('abs', 'aten.abs.default', [first]),
      { ...node('norm', '_C.fused_add_rms_norm.default', ['abs', 'r', 'w', 1e-6]), meta: null },
    ],
    outputs: ['abs'],
  }
  return [functional, inPlace]
}

describe('a whole graph with an operator that writes to its argument', () => {
  it('compares the argument as computed and the output as written', async () => {
    const [functional, inPlace] = graphs('neg_1')
    const { programs } = cutUnknown({ title: 'graph', unfused: functional, fused: inPlace }, new Symbols(4))
    expect(programs.unfused.outputs).toEqual(['out', 'abs'])
    expect(programs.fused.outputs).toEqual(['abs', 'abs_as_computed'])
    const report = await run(functional, inPlace)
    expect(report.problems).toEqual([])
    expect(report.verdict.kind).toBe('equal')
  })

  it('gives an excluded call the value that its argument had at that point', async () => {
    const [functional, inPlace] = graphs('neg').map((p) => ({
      ...p,
      nodes: p.nodes.flatMap((n) => (n.name === 'abs' ? [n, node('odd', 'mine.odd.default', ['abs'])] : [n])),
    })) as [RunProgram, RunProgram]
    const report = await run(functional, inPlace)
    expect(report.cut).toMatchObject([{ target: 'mine.odd.default', calls: 1 }])
    expect(report.outputs.map((o) => [o.unfused, o.fused])).toEqual([
      ['out', 'abs'],
      ['abs', 'abs_as_computed'],
    ])
    expect(report.verdict.kind).toBe('equal')
  })
})
