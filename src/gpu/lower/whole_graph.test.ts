import { describe, expect, it } from 'vitest'
import { tensor } from '../testing/fixtures'
import { CannotRun } from './lower'
import { meaning, runGraph } from '../run/run_graph'
import { Symbols } from './symbols'
import type { OutputReport, RunNode, RunProgram, RunPrograms, RunReport } from '../types'
import { cutUnknown } from './whole_graph'

const META = tensor('float32', [4, 8])
const call = (name: string, target: string, ...inputs: string[]): RunNode => ({
  name,
  target,
  args: inputs.map((node) => ({ node })),
  kwargs: {},
  meta: META,
})
const program = (...nodes: RunNode[]): RunProgram => ({
  inputs: [{ name: 'x', meta: META }],
  nodes,
  outputs: [nodes.at(-1)!.name],
})
const run = (unfused: RunProgram, fused: RunProgram): Promise<RunReport> =>
  runGraph({ title: 'graph', unfused, fused }, { device: 'reference' }, () => undefined, new AbortController().signal)
const graphs = (middle: string): RunPrograms => ({
  title: 'graph',
  unfused: program(
    call('neg', 'aten.neg.default', 'x'),
    call('odd', middle, 'neg'),
    call('relu', 'aten.relu.default', 'odd'),
  ),
  fused: program(
    call('neg_1', 'aten.neg.default', 'x'),
    call('odd', middle, 'neg_1'),
    call('relu', 'aten.relu.default', 'odd'),
  ),
})

describe('a whole graph before and after', () => {
  it('excludes an operator without a kernel: its arguments are compared, its results generated', () => {
    const { programs, cut } = cutUnknown(graphs('mine.attention.default'), new Symbols(4))
    expect(cut).toEqual([
      { target: 'mine.attention.default', calls: 1, reason: 'no kernel for mine.attention.default' },
    ])
    expect(programs.unfused.outputs).toEqual(['relu', 'neg'])
    expect(programs.fused.outputs).toEqual(['relu', 'neg_1'])
    expect(programs.fused.inputs.map((i) => i.name)).toEqual(['x', 'odd'])
  })

  it('also compares where the graphs converge again', () => {
    const before = program(
      call('neg', 'aten.neg.default', 'x'),
      call('abs', 'aten.abs.default', 'neg'),
      call('relu', 'aten.relu.default', 'abs'),
    )
    const after = program(
      call('abs_of', 'aten.abs.default', 'x'),
      call('abs', 'aten.abs.default', 'abs_of'),
      call('relu', 'aten.relu.default', 'abs'),
    )
    const { programs } = cutUnknown({ title: 'graph', unfused: before, fused: after }, new Symbols(4))
    expect(programs.unfused.outputs).toEqual(['relu', 'abs'])
  })

  it('rejects an operator without a kernel that only one side has, and names it', () => {
    const { unfused } = graphs('aten.abs.default')
    const fused = program(call('fused', 'mine.fused.default', 'x'))
    expect(() => cutUnknown({ title: 'graph', unfused, fused }, new Symbols(4))).toThrow(CannotRun)
    return expect(run(unfused, fused)).resolves.toMatchObject({
      problems: ['cannot run: no kernel for mine.fused.default'],
      verdict: { kind: 'cannot run' },
    })
  })

  it('reports whether the rewrite preserved the results', async () => {
    const before = program(call('neg', 'aten.neg.default', 'x'), call('relu', 'aten.relu.default', 'neg'))
    expect((await run(before, before)).verdict).toMatchObject({ kind: 'equal' })
    const wrong = program(call('relu_1', 'aten.relu.default', 'x'))
    const { verdict } = await run(before, wrong)
    expect(verdict.kind).toBe('different')
    expect(verdict.sentence).toContain('this rewrite changed the result')
    const cut = await run(graphs('mine.attention.default').unfused, graphs('mine.attention.default').fused)
    expect(cut.verdict.sentence).toContain('One call without a kernel was left out')
  })

  it('distinguishes rounding that grows from layer to layer from a jump', () => {
    const at = (relNorm: number): OutputReport =>
      ({ unfused: `at_${relNorm}`, pair: { equal: relNorm === 0, relNorm, nanMismatches: 0 } }) as OutputReport
    const said = (...norms: number[]): string => meaning(norms.map(at), []).sentence
    expect(said(0, 0.005, 0.012)).toContain('within rounding; 2 of 3')
    expect(said(0, 0.01, 0.03, 0.09, 0.14)).toContain('grows from layer to layer to 14 %')
    expect(said(0, 0.01, 0.3)).toContain('at at_0.3 by more than rounding explains')
    expect(said(0, 0.3)).toContain('Not equal')
  })
})
