/** Candidates about the registration: skip a duplicate, call a registering function that nothing calls. */
import { inserted, type Candidate } from './types'
import {
  calledName,
  functionAround,
  listField,
  nodeField,
  paramsOf,
  textField,
  within,
  type SyntaxFile,
} from '../syntax'

const REGISTERS = new Set([
  'register_replacement',
  'gen_register_replacement',
  'register_graph_pattern',
  'register_lowering_pattern',
])

/**
 * Adds skip_duplicates=True to the call that raised.
 * @param line of the innermost frame
 */
export function skipDuplicates(file: SyntaxFile, line: number): Candidate[] {
  const calls = file
    .of('Call')
    .filter(
      (c) =>
        REGISTERS.has(calledName(c) ?? '') && c.line <= line && file.text.slice(0, c.to).split('\n').length >= line,
    )
  return calls.slice(0, 1).flatMap((call): Candidate[] => {
    const keywords = listField(call, 'keywords')
    const given = keywords.find((k) => textField(k, 'arg') === 'skip_duplicates')
    const value = given && nodeField(given, 'value')
    const title = 'Skip patterns that are registered already'
    if (value) return [{ title, changes: [{ file: file.name, from: value.from, to: value.to, text: 'True' }] }]
    const last = [...listField(call, 'args'), ...keywords].at(-1)
    return last ? [{ title, changes: [inserted(file, last.to, ', skip_duplicates=True')] }] : []
  })
}

/** Adds calls of registering functions and methods that nothing calls. */
export function missingCalls(files: readonly SyntaxFile[], pass: string): Candidate[] {
  const called = new Set(files.flatMap((f) => f.of('Call').map(calledName)))
  return files.flatMap((file) =>
    file.of('FunctionDef').flatMap((fn): Candidate[] => {
      const registers = [...within(fn)].some((n) => n.type === 'Call' && REGISTERS.has(calledName(n) ?? ''))
      const name = textField(fn, 'name')!
      if (!registers || functionAround(fn) !== null) return []
      const owner = fn.parent?.type === 'ClassDef' ? textField(fn.parent, 'name') : null
      if (owner === null ? called.has(name) : called.has(owner)) return []
      const args = nodeField(fn, 'args')!
      const needed = paramsOf(fn).length - listField(args, 'defaults').length - (owner === null ? 0 : 1)
      if (needed > 1) return []
      const call = `${owner === null ? '' : `${owner}().`}${name}(${needed === 1 ? pass : ''})`
      return [
        {
          title: `Call ${call}`,
          changes: [inserted(file, file.text.length, `${file.text.endsWith('\n') ? '' : '\n'}\n${call}\n`)],
        },
      ]
    }),
  )
}
