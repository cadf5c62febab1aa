/** One pattern under both matchers of PyTorch: the counts that both_matchers.py recorded, and those that docs/matchers.md shows. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { matchCase } from '../../src/engine/cases/cases'
import { Interpreter } from '../../src/engine/run/interpreter'
import { nodeAssets } from '../../src/python/node_assets'

interface Case {
  id: string
  pattern: string
  graph: string
  readable: string
  inductor: number
  subgraph: number
}

const cases = JSON.parse(readFileSync(new URL('both_matchers.json', import.meta.url), 'utf8')) as Case[]
const page = readFileSync(new URL('../../docs/matchers.md', import.meta.url), 'utf8')

const FILE = (pattern: string, inputs: number): string => `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
from torch.fx.subgraph_rewriter import replace_pattern
aten = torch.ops.aten
${pattern}
patterns = PatternMatcherPass()
register_replacement(pattern, replacement, [torch.ones(8, 4) for _ in range(${inputs})], fwd_only, patterns)
def subgraph(gm):
    replace_pattern(gm, pattern, replacement)
`

let interpreter: Interpreter
beforeAll(async () => {
  interpreter = await Interpreter.start(nodeAssets())
})

test.each(cases)('$id', ({ id, pattern, graph, readable, inductor, subgraph }) => {
  const file = FILE(pattern, pattern.includes('(x, y)') ? 2 : 1)
  const countOf = (pass: string): number | null | undefined =>
    matchCase(interpreter, { id, pattern_py: file, graph, readable, passes: [pass] }).passes[0]?.count
  expect([countOf('patterns'), countOf('subgraph')]).toEqual([inductor, subgraph])
  const row = page.split('\n').find((line) => line.startsWith(`| \`${id}\``))
  expect(
    row
      ?.split('|')
      .slice(-3, -1)
      .map((cell) => Number(cell)),
  ).toEqual([inductor, subgraph])
})
