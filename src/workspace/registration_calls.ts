/** The file of a workspace that calls registration functions, for functions that a project calls outside its pass files. */
import type { TextFile } from './types'

export const CALLS_FILE = 'registration_calls.py'

/** `MODULE.FUNCTION`, the function without arguments. */
export const REGISTRATION_CALL = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$/

/**
 * The files with an additional last file that makes the calls, or with the missing calls added to the existing one.
 * @param calls `MODULE.FUNCTION`
 */
export function withCalls(files: readonly TextFile[], calls: readonly string[]): TextFile[] {
  const at = files.findIndex((f) => f.name === CALLS_FILE)
  const known = files[at]?.text.trimEnd() ?? '# Registration functions that the project calls elsewhere.'
  const lines = new Set(known.split('\n'))
  const added = calls.filter((c) => !lines.has(`${c}()`)).map((c) => `import ${moduleOf(c)}\n${c}()`)
  if (added.length === 0) return [...files]
  const file = { name: CALLS_FILE, text: `${[known, ...new Set(added)].join('\n')}\n` }
  return at < 0 ? [...files, file] : files.with(at, file)
}

const moduleOf = (call: string): string => call.slice(0, call.lastIndexOf('.'))
