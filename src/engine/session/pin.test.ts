/** Tests "This should match here" on a session, with the requests that the page makes. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { Workspace } from '../../workspace/types'
import type { PinAnswer } from '../protocol'
import { createSession, type Session } from './session'

const PREAMBLE = `
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
aten = torch.ops.aten
patterns = PatternMatcherPass(pass_name="patterns")

def register(search, replace, inputs, **kwargs):
    register_replacement(search, replace, inputs, fwd_only, patterns, **kwargs)

def t():
    return torch.empty(4, 8)
`
const FUSE = `
register(lambda x, y: torch.relu(x + y) * 2.0, lambda x, y: torch.sigmoid(x - y), [t(), t()])
`

const graph = (body: string, returns: string): string =>
  [
    'class GraphModule(torch.nn.Module):',
    '    def forward(self, x: "f32[4, 8]", y: "f32[4, 8]"):',
    ...body
      .trim()
      .split('\n')
      .map((l) => `        ${l.trim()}`),
    `        return (${returns},)`,
  ].join('\n')

const workspace = (python: string, text: string): Workspace => ({
  ...base,
  graph: { name: 'graph.txt', text },
  shapes: undefined,
  files: [{ name: 'patterns.py', text: PREAMBLE + python }],
  passes: undefined,
})
const base = JSON.parse(
  readFileSync(new URL('../../../public/examples/rms-norm-int8/workspace.json', import.meta.url), 'utf8'),
) as Workspace

describe('pin', () => {
  let session: Session
  beforeAll(async () => {
    session = createSession(nodeAssets())
    await session.ready
  })

  const pin = (python: string, text: string, node: string, entry = 0): PinAnswer => {
    session.analyze(workspace(python, text))
    return session.pin('patterns', entry, node)
  }
  const BODY = `
    add: "f32[4, 8]" = torch.ops.aten.add.Tensor(x, y)
    relu: "f32[4, 8]" = torch.ops.aten.relu.default(add)
    mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(relu, 2.0)
    tanh: "f32[4, 8]" = torch.ops.aten.tanh.default(mul)`

  it('reports that the pattern fires, at each node of the match', () => {
    for (const node of ['mul', 'relu', 'add'])
      expect(pin(FUSE, graph(BODY, 'tanh'), node)).toMatchObject({ fires: true, miss: null })
  })

  it('names the constant that differs, and counts what aligns', () => {
    const { fires, miss } = pin(FUSE, graph(BODY.replace('2.0', '3.0'), 'tanh'), 'mul')
    expect(fires).toBe(false)
    expect(miss).toMatchObject({ anchors: ['mul'], count: 1, score: 3, of: 3, taken: false })
    expect(miss!.causes![0]).toMatchObject({ kind: 'constant', graphNode: 'mul', expected: '2.0', found: '3.0' })
  })

  it('treats a node inside the pattern as part of the surrounding match', () => {
    const { miss } = pin(FUSE, graph(BODY.replace('2.0', '3.0'), 'tanh'), 'add')
    expect(miss).toMatchObject({ anchors: ['add'], score: 3 })
    expect(miss!.causes![0]).toMatchObject({ kind: 'constant', graphNode: 'mul' })
  })

  it('names the operator at which the pattern starts if nothing aligns', () => {
    const { miss } = pin(FUSE, graph(BODY.replace('relu.default', 'sin.default'), 'tanh'), 'x')
    expect(miss!.anchors).toEqual(['x'])
    expect(miss!.causes![0]).toMatchObject({
      kind: 'wrong-operator',
      graphNode: 'x',
      expected: 'aten.mul.Tensor',
      found: 'placeholder',
    })
  })

  it('names the pattern that replaced the node first', () => {
    const two = FUSE + 'register(lambda x: torch.relu(x), lambda x: torch.sigmoid(x), [t()])\n'
    const { fires, miss } = pin(two, graph(BODY, 'tanh'), 'relu', 1)
    expect(fires).toBe(false)
    expect(miss!.taken).toBe(true)
    expect(miss!.causes!.map((c) => c.kind)).toEqual(['taken'])
    expect(miss!.causes![0]!.sentence).toContain('lambda matched at mul')
  })

  it('finds the other outputs near the aligned nodes even if another variant replaced them', () => {
    const variant = (eps: string): string => `
register(lambda x: (lambda s: (s * ${eps}, s.exp()))(x.sin()), lambda x: (x.cos(), x.neg()), [t()])
`
    const text = graph(
      `sin: "f32[4, 8]" = torch.ops.aten.sin.default(x)
       mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(sin, 2.0)
       exp: "f32[4, 8]" = torch.ops.aten.exp.default(sin)
       mm: "f32[4, 8]" = torch.ops.aten.sub.Tensor(exp, mul)
       exp_1: "f32[4, 8]" = torch.ops.aten.exp.default(mm)`,
      'exp_1',
    )
    const { miss } = pin(variant('2.0') + variant('3.0'), text, 'mul', 1)
    expect(miss).toMatchObject({ score: 3, of: 3 })
    expect(miss!.causes!.map((c) => c.kind)).toEqual(['constant', 'taken'])
  })

  it('reports a check that returned False', () => {
    const checked = FUSE.replace('[t(), t()])', '[t(), t()], extra_check=lambda m: False)')
    const { miss } = pin(checked, graph(BODY, 'tanh'), 'mul')
    expect(miss!.causes![0]).toMatchObject({ kind: 'extra-check', graphNode: 'mul' })
  })

  it('names the outside user of a value inside the match', () => {
    const { miss } = pin(FUSE, graph(BODY, 'tanh, relu'), 'mul')
    expect(miss!.causes![0]).toMatchObject({ kind: 'escaping-intermediate', graphNode: 'relu' })
  })

  it('answers for every pattern at unrelated nodes, and reports nodes and patterns that do not exist', () => {
    const text = graph(BODY, 'tanh')
    for (const node of ['x', 'y', 'tanh', 'output']) {
      const { fires, miss } = pin(FUSE, text, node)
      expect(fires).toBe(false)
      expect(miss!.causes!.length).toBeGreaterThan(0)
    }
    expect(() => session.pin('patterns', 0, 'nowhere')).toThrow(/no node nowhere/)
    expect(() => session.pin('patterns', 7, 'mul')).toThrow(/no pattern 7/)
    expect(() => session.pin('others', 0, 'mul')).toThrow(/not in the last run/)
  })
})
