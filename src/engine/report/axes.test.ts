/** Tests registration loops in many styles, run in real Python: each produces its own tree. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { PassReport, TreeNode } from '../protocol'
import { Session } from '../session/session'
import { WAYS } from './testing/axes_cases'

const HEAD = `import dataclasses, enum, functools, itertools
import torch
from torch._inductor.pattern_matcher import (
    CallFunction, KeywordArg, PatternMatcherPass, fwd_only, register_graph_pattern, register_replacement,
)
aten = torch.ops.aten
patterns = PatternMatcherPass()
def add(search, replace, n=1, dtype=torch.float32):
    register_replacement(search, replace, [torch.empty(4, 4, dtype=dtype) for _ in range(n)], fwd_only, patterns)
`
let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

function run(code: string): { pass: PassReport; tree: TreeNode } {
  const graph = { name: 'g.txt', text: 'graph():\n    return ()\n' }
  const files = [{ name: 'p.py', text: HEAD + code }]
  const { report } = session.analyze({ name: 'w', graph, files, options: { timeLimitS: 10 } })
  if (report.python) throw new Error(report.python.traceback)
  return { pass: report.passes[0]!, tree: report.tree[0]! }
}

/** `class: axis, axis (leaves)`, one class after another. */
const axes = (code: string): string[] => {
  const { pass, tree } = run(code)
  return tree.children.map((c) => {
    const entry = pass.entries.find((e) => e.title === c.label)!
    return `${c.label}: ${(entry.axes ?? []).join(', ')} (${c.leaves})`
  })
}

const leafLabels = (node: TreeNode): string[] =>
  node.kind === 'leaf' ? [node.label] : node.children.flatMap((c) => leafLabels(c).map((l) => `${node.label} / ${l}`))

describe('axes', () => {
  it.each(WAYS)('for %s', (_, code, expected) => expect(axes(code)).toEqual(expected))

  it('keep the user’s notation', () => {
    const { tree } = run(WAYS[8]![1])
    expect(leafLabels(tree.children[0]!)[0]).toBe(
      'make / op = aten.relu.default / out = None / round_ = Round.UP / level = Level.LOW',
    )
    expect(leafLabels(run(WAYS[0]![1]).tree.children[0]!).at(-1)).toBe('make / eps = 1e-6 / power = 3 / flag = False')
  })

  it('distinguish long values by the part that differs', () => {
    const labels = run(WAYS[13]![1]).tree.children[0]!.children.map((c) => c.label.replace(/#\w{4}$/, '#'))
    expect(labels).toEqual(["label = …xxxxxxxxxxxxa' #", "label = …xxxxxxxxxxxxb' #"])
  })

  it('keep functions of the same name separate, each in its own class', () => {
    const code = `def main():
    def relu_add(x): return aten.relu(aten.add(x, x))
    def neg_add(x): return aten.neg(aten.add(x, x))
    add(relu_add, relu_add)
    add(neg_add, neg_add)
main()
def pattern(x): return aten.exp(x) + 1
add(pattern, pattern)
def pattern(x): return aten.log(x) + 1
add(pattern, pattern)`
    expect(run(code).tree.children.map((c) => c.label)).toEqual([
      'main.relu_add',
      'main.neg_add',
      'pattern, line 16',
      'pattern, line 18',
    ])
  })
})
