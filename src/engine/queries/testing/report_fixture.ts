/** A small report for the tests of the views: one pass, a class of two variants and a single pattern. Tests only. */
import { worded } from '../../../base/message'
import type { EntryReport, GraphView, NodeView, PassReport, Report } from '../../protocol'
import { emptyEntry, emptyNode, emptyPass, emptyReport } from '../../report/empty'
import type { Workspace } from '../../../workspace/types'
import { cause } from './cause_fixture'

export function graph(text: string): GraphView {
  const nodes: NodeView[] = []
  const at = new Map<string, number>()
  text
    .trim()
    .split('\n')
    .forEach((line, i) => {
      const [name = '', target = '', ...inputs] = line.trim().split(/\s+/)
      const ids = inputs.map((n) => at.get(n)!)
      at.set(name, i)
      const op = target === 'placeholder' || target === 'output' ? target : 'call_function'
      nodes.push({ ...emptyNode(name, op, op === 'call_function' ? target : name), inputs: ids, textLine: i + 2 })
      for (const j of ids) nodes[j]!.users.push(i)
    })
  return { nodes, problems: [] }
}

export const entry = (index: number, title: string, more: Partial<EntryReport> = {}): EntryReport => ({
  ...emptyEntry(index, title),
  ...more,
})

export const pass = (more: Partial<PassReport> = {}): PassReport => ({ ...emptyPass('patterns'), ...more })

export const report = (more: Partial<Report> = {}): Report => ({ ...emptyReport(), ...more })

export const WORKSPACE: Workspace = {
  name: 'Test',
  graph: { name: 'graph.txt', text: '' },
  files: [{ name: 'patterns.py', text: '' }],
  options: { timeLimitS: 10 },
}

/** x → relu → neg → out; the pattern relu+neg fired once and became fused. */
export function fused(): Report {
  const before = graph(`
    x placeholder
    relu aten.relu.default x
    neg aten.neg.default relu
    out output neg`)
  const after = graph(`
    x placeholder
    fused my.fused.default x
    out output fused`)
  const pattern = graph(`
    x placeholder
    relu_default aten.relu.default x
    neg_default aten.neg.default relu_default
    output output neg_default`)
  pattern.nodes[1]!.source = { file: '/home/user/patterns.py', line: 5 }
  pattern.nodes[2]!.source = { file: '/home/user/patterns.py', line: 6 }
  const source = { file: 'patterns.py', line: 9 }
  return report({
    graph: before,
    after,
    passes: [
      pass({
        count: 1,
        entries: [
          entry(0, 'Fuse', { fired: 1, pattern, bindings: { key: 'a', size: '1' }, source: { ...source } }),
          entry(1, 'Fuse', { pattern, bindings: { key: 'b', size: '1' }, source: { ...source } }),
          entry(2, 'other'),
        ],
        matches: [fusedMatch()],
        nearMisses: [constantNearMiss()],
      }),
    ],
  })
}

/** The match of entry 0. */
const fusedMatch = (): PassReport['matches'][number] => ({
  index: 0,
  entry: 0,
  node: 'neg',
  nodes: ['relu', 'neg'],
  outputs: ['neg'],
  inputs: { x: 'x' },
  map: [
    [1, 'relu'],
    [2, 'neg'],
  ],
  added: ['fused'],
})

const DIFFERS = worded(['size is 1 in the graph, 2 in the pattern'])
const CONSTANT = { graphNode: 'neg', patternNode: 2, argument: 'size', expected: '2', found: '1' }

/** The near miss of entry 1 at the same anchor: a constant differs. */
const constantNearMiss = (): PassReport['nearMisses'][number] => ({
  index: 0,
  entry: 1,
  phase: 'specific',
  count: 1,
  anchors: ['neg'],
  aligned: ['relu', 'neg'],
  reason: 'constant_args: neg 1!=2',
  mismatch: { kind: 'constant_args', ...CONSTANT },
  taken: false,
  ...DIFFERS,
  why: DIFFERS.parts,
  causes: [cause({ ...CONSTANT, ...DIFFERS, stage: 'specific' })],
})
