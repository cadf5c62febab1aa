/** Finds the environment queries in conditions that guard registration. */
import type { SourceRef } from '../../fx'
import type { EnvironmentAnswer, SyntaxData } from '../../python/types'
import type { TextFile } from '../../workspace/types'
import type { StageGuard } from './types'

type SyntaxNode = SyntaxData[number]

/**
 * Queries in the condition of an `if` that names the pass, registers something or leaves the function; if there are
 * none, all queries.
 * @param nameOnly only conditions that name the pass, for a pass that is not defined
 */
export function guardsOf(
  pass: string,
  asked: readonly EnvironmentAnswer[],
  files: readonly TextFile[],
  syntaxOf: (text: string) => SyntaxData | null,
  nameOnly = false,
): StageGuard[] {
  const guards = files.flatMap((file) => {
    const isHere = (s: SourceRef): boolean => s.file === file.name || s.file.endsWith(`/${file.name}`)
    const here = asked.flatMap(({ also = [], ...guard }) =>
      [...(guard.source ? [guard.source] : []), ...also].filter(isHere).map((source) => ({ ...guard, source })),
    )
    if (here.length === 0) return []
    const syntax = syntaxOf(file.text)
    if (!syntax) return []
    const conditions = conditionsOf(syntax, file.text, pass, nameOnly)
    return here.filter(({ source: { line } }) => conditions.some(([first, last]) => line >= first && line <= last))
  })
  if (guards.length > 0 || nameOnly) return guards
  return asked.map(({ question, answer, source, settings }) => ({
    question,
    answer,
    source,
    ...(settings && { settings }),
  }))
}

/** Line ranges of such conditions. */
function conditionsOf(
  syntax: SyntaxData,
  text: string,
  pass: string,
  nameOnly: boolean,
): [first: number, last: number][] {
  const lines = text.split('\n')
  const name = pass.replace(/[^\w]/g, '')
  const relevant = new RegExp(nameOnly ? `\\b${name}\\b` : `\\bregister|\\b(return|raise|continue|pass|${name})\\b`)
  return syntax.flatMap(([type, span, fields]): [number, number][] => {
    if (type !== 'If' || !span) return []
    const test = nodeOf(syntax, fields.test)?.[1]
    if (!test) return []
    const body = lines.slice(test[2], span[2]).join('\n') + (lines[test[2] - 1] ?? '').slice(test[3])
    return relevant.test(body) ? [[test[0], test[2]]] : []
  })
}

function nodeOf(syntax: SyntaxData, field: unknown): SyntaxNode | null {
  if (typeof field !== 'object' || field === null || !('n' in field)) return null
  return syntax[Number(field.n)] ?? null
}
