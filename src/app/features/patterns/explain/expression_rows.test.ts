import { describe, expect, it } from 'vitest'
import type { ExplainedExpression, ExplainedStage } from '../../../../engine/protocol'
import { entry, pass, WORKSPACE } from '../../../../engine/queries/testing/report_fixture'
import { NOTHING, type Highlight } from '../../../report/highlight'
import { treeMove } from '../../../commands/tree_keys'
import { expressionRows, litExpressions } from './expression_rows'

const expression = (index: number, parent: number | null, more: Partial<ExplainedExpression> = {}) =>
  ({
    index,
    parent,
    depth: 0,
    kind: 'CallFunction',
    patternNode: null,
    source: null,
    nodes: [],
    ...more,
  }) as ExplainedExpression

/** mul(sigmoid(x), 0.5), traced from lines 4 and 5. */
const line = (n: number) => ({ file: WORKSPACE.files[0]!.name, line: n, fn: 'search', code: '' })
const STAGE: ExplainedStage = {
  stage: 'one',
  title: 'Stage one',
  findings: [],
  drawing: null,
  expressions: [
    expression(0, null, { patternNode: 2, source: line(5), alone: 2, nodes: ['mul', 'mul_1'] }),
    expression(1, 0, { patternNode: 1, source: line(4), alone: 1, nodes: ['sigmoid'] }),
    expression(2, 1, { patternNode: 0, kind: 'KeywordArg', nodes: ['a'] }),
    expression(3, 0, { patternNode: 2, source: line(5), kind: 'constant', nodes: ['mul'] }),
  ],
}

describe('the rows of a tree of expressions', () => {
  it('leave out the arguments of a folded expression', () => {
    const rows = (folded: number[]) => expressionRows(STAGE, new Set(folded)).map((r) => [r.expression.index, r.open])
    expect(rows([])).toEqual([
      [0, true],
      [1, true],
      [2, null],
      [3, null],
    ])
    expect(rows([1]).map(([i]) => i)).toEqual([0, 1, 3])
    expect(rows([0])).toEqual([[0, false]])
  })

  it('move, fold and unfold by arrow keys', () => {
    const rows = expressionRows(STAGE, new Set([1]))
    expect(treeMove(rows, 0, 'ArrowDown')).toEqual({ go: 1 })
    expect(treeMove(rows, 1, 'ArrowRight')).toEqual({ toggle: 1 })
    expect(treeMove(rows, 1, 'ArrowLeft')).toEqual({ go: 0 })
    expect(treeMove(rows, 0, 'ArrowLeft')).toEqual({ toggle: 0 })
    expect(treeMove(rows, 0, 'End')).toEqual({ go: 3 })
    expect(treeMove(rows, 3, 'ArrowDown')).toBeNull()
  })
})

describe('the expressions that are lit', () => {
  const of = { pass: 'patterns', entry: 0, workspace: WORKSPACE }
  const lit = (selection: Parameters<typeof litExpressions>[2], highlight: Highlight = NOTHING) => [
    ...litExpressions(STAGE, of, selection, highlight),
  ]

  it('are the selected one alone, and none of another pattern', () => {
    expect(lit({ kind: 'patternNode', pass: 'patterns', entry: 0, index: 2, part: 3 })).toEqual([3])
    expect(lit({ kind: 'patternNode', pass: 'patterns', entry: 1, index: 2, part: 3 })).toEqual([])
  })

  it('are all that a line traced to', () => {
    expect(lit({ kind: 'line', file: WORKSPACE.files[0]!.name, line: 5 })).toEqual([0, 3])
  })

  it('are those that accept a node, or the one that a match binds to it', () => {
    const select = { kind: 'node', side: 'before', name: 'mul' } as const
    expect(lit(select)).toEqual([0])
    const bound = { ...NOTHING, entry: { pass: pass({}), entry: entry(0, 'Fuse') }, patternNodes: new Set([1]) }
    expect(lit(select, bound)).toEqual([1])
    expect(lit({ ...select, name: 'a' })).toEqual([2])
  })
})
