import { beforeAll, describe, expect, it } from 'vitest'
import { start, type Started } from './testing/start'

const CODE = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
patterns = PatternMatcherPass()

def twice(v):
    return torch.relu(v) * 2

def search(é, y):
    return twice(é + y)

register_replacement(search, search, [torch.empty(4, 8), torch.empty(4, 8)], fwd_only, patterns)
`

describe('exact positions', () => {
  let started: Started
  beforeAll(async () => {
    started = await start()
  })

  it('name the expression of each traced node, and those that called it', () => {
    started.run(CODE, undefined, true)
    const graph = started.registry.pass(0).entries[0]!.searchGraph!
    const spans = [...graph.nodes()].filter((n) => n.op === 'call_function').map((n) => n.meta.source?.spans)
    expect(spans.map((s) => s?.[0])).toEqual([
      ['p.py', 9, 17, 9, 23],
      ['p.py', 6, 11, 6, 24],
      ['p.py', 6, 11, 6, 28],
    ])
    expect(spans[1]?.[1]).toEqual(['p.py', 9, 11, 9, 24])
    started.run(CODE)
    expect([...started.registry.pass(0).entries[0]!.searchGraph!.nodes()].at(-2)?.meta.source).toEqual({
      file: 'p.py',
      line: 6,
      fn: 'twice',
    })
  })

  it('return a file’s syntax tree, and the definition site of a callable', () => {
    started.run(CODE)
    expect(started.host.callablePlace(started.registrations[0]!.search)).toEqual({
      file: 'p.py',
      line: 8,
      name: 'search',
    })
    const syntax = started.host.syntax(CODE)!
    expect(syntax[0]![0]).toBe('Module')
    expect(syntax.find(([type]) => type === 'BinOp')).toEqual([
      'BinOp',
      [6, 11, 6, 28],
      expect.objectContaining({ op: 'Mult' }),
    ])
    expect(started.host.syntax('def f(:')).toBeNull()
  })
})
