/**
 * The Python files of a capture. Running them in place of the recorded patterns gives causes lines of code, and gives files to fix.
 */
import { listField, nodeField, paramsOf, SyntaxFile, textField, type SyntaxNode } from '../../explain/fixes/syntax'
import type { SyntaxData } from '../../python/types'
import { REGISTRATION_CALL } from '../../workspace/registration_calls'
import type { TextFile } from '../../workspace/types'
import type { PassRun } from '../pipeline/apply_pass'
import type { Capture } from './records'

/**
 * The calls, `MODULE.FUNCTION`, that register a run's patterns if importing its files does not. Among the recorded callers of each
 * registration, the innermost module-level function without required arguments is called.
 */
export function recordedCalls(
  { applications, entries }: Capture,
  run: number,
  files: readonly TextFile[],
  syntaxOf: (text: string) => SyntaxData | null,
): string[] {
  const calls = new Set<string>()
  const called = new Map<string, string | null>()
  const callOf = (path: string, line: number, fn: string): string | null => {
    const file = fileAt(path, files)
    const data = file && syntaxOf(file.text)
    if (!data) return null
    const named = new SyntaxFile(file.name, file.text, data)
      .of('FunctionDef')
      .filter((n) => textField(n, 'name') === fn)
    // Edits move lines, so lines only distinguish functions with the same name.
    const around = (n: SyntaxNode): boolean => n.line <= line && line <= lastLine(n, file.text)
    const found = named.length > 1 ? named.findLast(around) : named[0]
    const call = `${moduleOf(file.name)}.${fn}`
    return found?.parent?.type === 'Module' && needsNothing(found) && REGISTRATION_CALL.test(call) ? call : null
  }
  for (const { run: of, table } of applications)
    if (of === run)
      for (const id of table.flatMap(([, , ids]) => ids))
        for (const [path, line, fn] of entries.get(id)?.registered ?? []) {
          const key = `${path}\u0000${line}\u0000${fn}`
          if (!called.has(key)) called.set(key, callOf(path, line, fn))
          const call = called.get(key)
          if (call == null) continue
          calls.add(call)
          break
        }
  return [...calls]
}

/** The file whose path ends a path of the recorded process; of several, the one with the most folders. */
function fileAt(path: string, files: readonly TextFile[]): TextFile | undefined {
  const full = `/${path.replaceAll('\\', '/')}`
  const found = files.filter((f) => full.endsWith(`/${f.name}`))
  return found.toSorted((a, b) => b.name.length - a.name.length)[0]
}

const lastLine = ({ line, from, to }: SyntaxNode, text: string): number =>
  line + text.slice(from, to).split('\n').length - 1

function needsNothing(fn: SyntaxNode): boolean {
  const args = nodeField(fn, 'args')
  if (!args) return true
  const optional = listField(args, 'defaults').length
  const keywords = listField(args, 'kwonlyargs').length
  return paramsOf(fn).length <= optional && keywords === listField(args, 'kw_defaults').length
}

const moduleOf = (file: string): string =>
  file
    .replace(/\.py$/, '')
    .replace(/\/__init__$/, '')
    .replaceAll('/', '.')

/** True if both runs have the same patterns in the same passes, and the same matches: results for one then hold for the other. */
export const sameRegistrations = (recorded: readonly PassRun[], own: readonly PassRun[]): boolean =>
  recorded.length === own.length && recorded.every((pass, i) => keyOf(pass) === keyOf(own[i]!))

const keyOf = ({ toExplain, matches }: PassRun): string =>
  JSON.stringify([toExplain.entries.map((e) => e.text), matches.map(({ entry, node }) => [entry, node])])
