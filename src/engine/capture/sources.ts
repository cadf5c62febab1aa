/** Names the Python files of a capture so that they import each other in a workspace. */
import { MAX_FILES } from '../../workspace'
import type { TextFile } from '../../workspace/types'
import type { Fields } from './types'

/** The files in their order, by the path of their module: `fusion.noop` is `fusion/noop.py`. */
export function sourceFiles(records: readonly Fields[]): TextFile[] {
  const files = new Map<string, string>()
  for (const { file, module, text } of records) {
    if (typeof file !== 'string' || typeof text !== 'string') continue
    const name = nameOf(file, typeof module === 'string' ? module : null)
    if (!files.has(name) && files.size < MAX_FILES) files.set(name, text)
  }
  return [...files].map(([name, text]) => ({ name, text }))
}

function nameOf(file: string, module: string | null): string {
  const base = file.slice(file.replaceAll('\\', '/').lastIndexOf('/') + 1)
  if (module === null || module.startsWith('__')) return base
  const path = module.replaceAll('.', '/')
  return base === '__init__.py' ? `${path}/__init__.py` : `${path}.py`
}
