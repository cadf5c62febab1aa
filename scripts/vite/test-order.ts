/** The order of the test files of a run. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Folders whose tests run Python or whole programs, for seconds each: begun last, one would run while a core idles. The first two wait for
 * other programs, while `npm test` still replays recordings beside them.
 */
const LONG = ['scripts', 'src/cli', 'conformance', 'src/engine', 'src/python']

/**
 * Vitest ends a worker where the next file has another environment, and with it the modules and the Python that all files
 * of a worker share: files with a DOM run together, after all others, because their workers need no Python.
 */
export class ByEnvironment extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const ranks = new Map(sorted.map((file) => [file, rankOf(file.moduleId)]))
    return sorted.toSorted((a, b) => ranks.get(a)! - ranks.get(b)!)
  }
}

function rankOf(path: string): number {
  if (readFileSync(path, 'utf8').startsWith('// @vitest-environment')) return LONG.length + 1
  const at = LONG.findIndex((folder) => path.startsWith(`${root}${folder}/`))
  return at < 0 ? LONG.length : at
}
