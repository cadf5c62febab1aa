/** The tree of expressions as visible rows, and the expressions that a selection highlights. */
import { memoizeByObject } from '../../../../base/memoize'
import type { ExplainedExpression, ExplainedStage } from '../../../../engine/protocol'
import { fileOf } from '../../../session/workspace_store'
import type { TreeItem } from '../../../commands/tree_keys'
import type { Selection, Workspace } from '../../../../workspace/types'
import type { Highlight } from '../../../report/highlight'

/** The id is the index of the expression. */
export interface ExpressionRow extends TreeItem<number> {
  expression: ExplainedExpression
}

export function expressionRows(stage: ExplainedStage, folded: ReadonlySet<number>): ExpressionRow[] {
  const parents = new Set(stage.expressions.map((e) => e.parent))
  const hidden = new Set<number>()
  return stage.expressions.flatMap((expression) => {
    const { index, parent, depth } = expression
    if (parent !== null && (hidden.has(parent) || folded.has(parent))) {
      hidden.add(index)
      return []
    }
    return [{ id: index, parent, depth, expression, open: parents.has(index) ? !folded.has(index) : null }]
  })
}

const byNode = memoizeByObject((stage: ExplainedStage): ReadonlyMap<string, number[]> => {
  const map = new Map<string, number[]>()
  for (const { index, nodes, alone, kind } of stage.expressions) {
    // The nodes of an argument belong to the expression at its place.
    if (alone === undefined && !kind.endsWith('Arg')) continue
    for (const name of nodes) {
      const list = map.get(name)
      if (list) list.push(index)
      else map.set(name, [index])
    }
  }
  return map
})

/**
 * Expressions that a selection or the pointer highlights: the expression itself, those traced from the line, or those that accept
 * the node. A node that the pattern matched highlights only the expression bound to it.
 */
export function litExpressions(
  stage: ExplainedStage,
  of: { pass: string; entry: number; workspace: Workspace },
  selection: Selection | null,
  highlight: Highlight,
): ReadonlySet<number> {
  if (!selection) return new Set()
  const isEntry = highlight.entry?.pass.name === of.pass && highlight.entry.entry.index === of.entry
  switch (selection.kind) {
    case 'patternNode':
      if (selection.pass !== of.pass || selection.entry !== of.entry) return new Set()
      return selection.part === undefined ? ofPatternNodes(stage, highlight.patternNodes) : new Set([selection.part])
    case 'line':
      return new Set(
        stage.expressions
          .filter(
            ({ source }) => source?.line === selection.line && fileOf(of.workspace, source.file) === selection.file,
          )
          .map((e) => e.index),
      )
    case 'node': {
      const bound = isEntry ? ofPatternNodes(stage, highlight.patternNodes) : new Set<number>()
      return bound.size > 0 ? bound : new Set(byNode(stage).get(selection.name) ?? [])
    }
    case 'step':
    case 'nearMiss':
      return isEntry ? ofPatternNodes(stage, highlight.patternNodes) : new Set()
    default:
      return new Set()
  }
}

/** The expressions of these pattern nodes, without their constants. */
function ofPatternNodes({ expressions }: ExplainedStage, nodes: ReadonlySet<number>): Set<number> {
  const own = expressions.filter(
    (e) =>
      e.patternNode !== null &&
      nodes.has(e.patternNode) &&
      (e.parent === null || expressions[e.parent]!.patternNode !== e.patternNode),
  )
  return new Set(own.map((e) => e.index))
}
