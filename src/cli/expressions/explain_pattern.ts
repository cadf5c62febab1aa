/** `fusescope explain-pattern`: each pattern as a tree in words. */
import type { ExplainedPattern, ExplainedExpression, ExplainedStage } from '../../engine/protocol'
import { formatProblem } from '../../fx'
import type { Command } from '../args'
import { calledFiles, startSession } from '../calls'
import { noSuchPass, pythonLine, readInputs, workspaceOf } from '../inputs'
import { bad, named, show, writeJson } from '../output'
import { DONE } from '../status'
import { count } from '../../base/english'

const STAGES = { one: 'stage one', two: 'stage two', both: 'both stages' } as const

/** An explained pattern as lines for a terminal. */
function patternLines({ pass, entry, title, stages, graphNodes }: ExplainedPattern): string[] {
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

export async function explainPatternCommand(command: Extract<Command, { kind: 'explain-pattern' }>): Promise<number> {
  const inputs = readInputs(command)
  if (!inputs.ok) return bad(formatProblem(inputs.error))
  const session = await startSession()
  const workspace = workspaceOf(command, inputs.value)
  const files = calledFiles(session, workspace, command.calls)
  const { report } = session.analyze({ ...workspace, files })
  if (report.python) return bad(pythonLine(report.python, inputs.value.files, report.causes))
  const missing = report.pipeline?.stages.find((s) => s.off?.why === 'not-defined')
  if (missing) return bad(noSuchPass(command, missing.name))
  const patterns = report.passes.flatMap((pass) =>
    pass.entries.map(({ index }): ExplainedPattern => {
      const { ms: _ms, ...explained } = session.explainPattern(pass.name, index)
      return explained
    }),
  )
  if (command.json) writeJson({ patterns })
  else
    show(
      1,
      patterns.flatMap((p, i) => [...(i > 0 ? [''] : []), ...patternLines(p)]),
    )
  return DONE
}
