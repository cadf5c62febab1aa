/** An explained pattern as lines for a terminal. */
import { count } from '../../base/english'
import type { ExplainedExpression, ExplainedPattern, ExplainedStage } from '../../engine/protocol'
import { named } from '../output'

const STAGES = { one: 'stage one', two: 'stage two', both: 'both stages' } as const

export function patternLines({ pass, entry, title, stages, graphNodes }: ExplainedPattern): string[] {
  const head = `${named(pass)}, pattern ${entry}: ${title} (counts of ${count(graphNodes, 'node')})`
  return [head, ...stages.flatMap(stageLines)]
}

function stageLines({ title, findings, expressions }: ExplainedStage): string[] {
  return [`  ${title}`, ...findings.map((f) => `    ! ${f.sentence}`), ...expressions.flatMap(expressionLines)]
}

function expressionLines(e: ExplainedExpression): string[] {
  const indent = '  '.repeat(e.depth + 2)
  const where = e.where === null ? '' : `${e.where}: `
  return [`${indent}${where}${e.label}${countText(e)}`, `${indent}  ${e.sentence} (${STAGES[e.comparedIn]})`]
}

/** The nodes that pass: alone, and with the expressions in the arguments. */
function countText({ alone, whole, values }: ExplainedExpression): string {
  if (values) return `  [${values.equal} of ${values.of}]`
  if (alone === undefined) return ''
  return whole === undefined ? `  [${alone} alone]` : `  [${whole} of ${alone} alone]`
}
