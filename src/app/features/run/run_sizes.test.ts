import { describe, expect, it } from 'vitest'
import type { EntryReport, GraphView, NodeView, PassReport, Report } from '../../../engine/protocol'
import { argumentsOf, defaultShapes, parseShape, withTokens } from './run_sizes'

const node = (name: string, dtype: string, shape: string): NodeView =>
  ({ name, op: 'placeholder', dtype, shape }) as NodeView
const view = (...nodes: NodeView[]): GraphView => ({ nodes, problems: [] })
const entry = (...nodes: NodeView[]): EntryReport => ({ pattern: view(...nodes) }) as EntryReport
const none = { matches: [] } as unknown as PassReport

describe('sizes of a registration', () => {
  it('come from a match with the same arguments', () => {
    const e = entry(node('input_1', 'bf16', '[5, 4]'), node('w', 'bf16', '[4]'))
    const report = { graph: view(node('mm', 'bf16', '[48, 256]'), node('arg1', 'bf16', '[256]')) } as Report
    const pass = { entries: [e], matches: [{ entry: 0, inputs: { input: 'mm', w: 'arg1' } }] } as unknown as PassReport
    expect(defaultShapes(report, pass, e)).toEqual({ input_1: [48, 256], w: [256] })
  })
  it('are scaled up together if the graph has no such match', () => {
    const e = entry(node('x', 'bf16', '[5, 4]'), node('w', 'bf16', '[4]'), node('s', 'f32', '[1, 1]'))
    expect(defaultShapes({ graph: view() } as unknown as Report, none, e)).toEqual({
      x: [16, 512],
      w: [512],
      s: [1, 1],
    })
  })
  it('are parsed with commas or crosses, and rejected otherwise', () => {
    expect(parseShape('[4, 512]', 2)).toEqual([4, 512])
    expect(parseShape('4x512', 2)).toEqual([4, 512])
    expect([parseShape('4', 2), parseShape('4, s0', 2), parseShape('-1, 4', 2)]).toEqual([null, null, null])
  })
  it('are null for symbolic shapes, and change with the token count', () => {
    expect(argumentsOf(entry(node('x', 'bf16', '[s0, 4]')))).toEqual([])
    expect(withTokens({ x: [16, 512], w: [512] }, 3)).toEqual({ x: [3, 512], w: [512] })
  })
  it('change in all inputs that share the token count', () => {
    expect(withTokens({ x: [16, 512], y: [16, 512], at: [16] }, 3)).toEqual({ x: [3, 512], y: [3, 512], at: [3] })
    expect(withTokens({ x: [512, 512], w: [512] }, 3)).toEqual({ x: [3, 512], w: [512] })
    expect(withTokens({ x: [64], y: [64], s: [1] }, 3)).toEqual({ x: [3], y: [3], s: [1] })
  })
})
