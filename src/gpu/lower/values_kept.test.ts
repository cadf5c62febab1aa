/** Tests graphs in which an operator writes to its argument: the comparison uses the value before the write. */
import { describe, expect, it } from 'vitest'
import { runGraph } from '../run/run_graph'
import { tensor } from '../testing/fixtures'
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

const sized = (shape: number[], made: RunNode): RunNode => ({ ...made, meta: tensor('bfloat16', shape) })
const program = (nodes: RunNode[], outputs: string[]): RunProgram => ({ inputs: INPUTS, nodes, outputs })

describe('a write through a view', () => {
  const top = sized([2, 32], node('top', 'aten.slice.Tensor', ['base', 0, 0, 2]))
  const rest = sized([2, 32], node('rest', 'aten.slice.Tensor', ['base', 0, 2, 4]))
  /** cat(relu(base[:2]), base[2:]), without a write. */
  const functional = (base: RunNode): RunProgram => {
    const parts = { list: [{ node: 'positive' }, { node: 'rest' }] }
    return program(
      [
        base,
        top,
        rest,
        sized([2, 32], node('positive', 'aten.relu.default', ['top'])),
        { ...node('joined', 'aten.cat.default', []), args: [parts] },
      ],
      ['joined'],
    )
  }

  it('updates the storage under its other names', async () => {
    const base = node('base', 'aten.neg.default', ['x'])
    const write = sized([2, 32], node('write', 'aten.relu_.default', ['top']))
    const report = await run(functional(base), program([base, top, write], ['base']))
    expect([report.problems, report.verdict.kind]).toEqual([[], 'equal'])
    const flat = sized([128], node('flat', 'aten.view.default', ['base']))
    const all = { ...flat, args: [{ node: 'base' }, { list: [128] }] }
    const through = sized([128], node('write', 'aten.relu_.default', ['flat']))
    const plain = program([base, node('positive', 'aten.relu.default', ['base'])], ['positive'])
    expect((await run(plain, program([base, all, through], ['base']))).verdict.kind).toBe('equal')
  })

  it('updates the views of a tensor that is written as a whole', async () => {
    const base = node('base', 'aten.neg.default', ['x'])
    const write = node('write', 'aten.relu_.default', ['base'])
    const plain = program(
      [
        base,
        node('positive', 'aten.relu.default', ['base']),
        sized([2, 32], node('half', 'aten.slice.Tensor', ['positive', 0, 2, 4])),
      ],
      ['half'],
    )
    expect((await run(plain, program([base, rest, write], ['rest']))).verdict.kind).toBe('equal')
  })

  it('fills a buffer from `empty` part by part', async () => {
    const buffer: RunNode = {
      ...node('base', 'aten.empty.memory_format', []),
      args: [{ list: [4, 32] }],
      kwargs: { dtype: { dtype: 'bfloat16' } },
    }
    const norm = (into: string, from: string): RunNode => ({
      ...node(`norm_${into}`, '_C.rms_norm.default', [into, from, 'w', 1e-6]),
      meta: null,
    })
    const halves = ['a', 'b'].map((name, i) =>
      sized([2, 32], node(name, 'aten.slice.Tensor', ['x', 0, 2 * i, 2 * i + 2])),
    )
    const whole = program(
      [{ ...buffer, name: 'whole' }, norm('whole', 'x'), node('out', 'aten.neg.default', ['whole'])],
      ['out'],
    )
    const parts = program(
      [buffer, ...halves, top, norm('top', 'a'), rest, norm('rest', 'b'), node('out_1', 'aten.neg.default', ['base'])],
      ['out_1'],
    )
    const report = await run(whole, parts)
    expect([report.problems, report.verdict.kind]).toEqual([[], 'equal'])
  })

  it('leaves values as they were computed where the graphs are compared', async () => {
    const base = node('base', 'aten.neg.default', ['x'])
    const write = sized([2, 32], node('write', 'aten.relu_.default', ['top']))
    const after = program(
      [{ ...base, name: 'other' }, node('base', 'aten.abs.default', ['other']), top, write],
      ['base'],
    )
    const before = functional(node('base', 'aten.abs.default', ['neg']))
    const report = await run({ ...before, nodes: [node('neg', 'aten.neg.default', ['x']), ...before.nodes] }, after)
    expect(report.outputs.map((o) => o.fused)).toContain('base_as_computed')
    expect([report.problems, report.verdict.kind]).toEqual([[], 'equal'])
  })
})
