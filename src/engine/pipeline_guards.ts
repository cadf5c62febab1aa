/** Which questions to the environment stand in a condition that registration hangs on. */
import type { SyntaxData } from '../python/types'
import type { TextFile } from '../workspace/types'
import type { StageGuard } from './pipeline_types'

type SyntaxNode = SyntaxData[number]

/**
 * Of what the code asked, what it asked in the condition of an `if` that names the pass, registers something or leaves
 * the function; where there is none such, all that was asked.
 * @param nameOnly only conditions that name the pass: it is not even defined, and other guards are none of its
 */
export function guardsOf(
  pass: string,
  asked: readonly StageGuard[],
  files: readonly TextFile[],
  syntaxOf: (text: string) => SyntaxData | null,
  nameOnly = false,
): StageGuard[] {
  const guards = files.flatMap((file) => {
    const here = asked.filter(
      (a) => a.source && (a.source.file === file.name || a.source.file.endsWith(`/${file.name}`)),
    )
    if (here.length === 0) return []
    const syntax = syntaxOf(file.text)
    if (!syntax) return []
    const conditions = conditionsOf(syntax, file.text, pass, nameOnly)
    return here.filter((a) => conditions.some(([first, last]) => a.source!.line >= first && a.source!.line <= last))
  })
  return guards.length > 0 || nameOnly ? guards : [...asked]
}

/** Lines of the tests of such conditions. */
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
