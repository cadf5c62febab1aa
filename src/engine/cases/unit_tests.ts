/** Formats unit-test results for the panel and the terminal. */
import type { SourceRef } from '../../fx'
import type { PythonTest } from '../protocol'

/** The failing line: the innermost frame in the test's own file, or else the test's definition. */
export function failedAt(test: PythonTest): SourceRef {
  const frame = test.error?.frames.findLast((f) => f.file === test.file)
  return test.outcome === 'failed' && frame ? frame : { file: test.file, line: test.line }
}

export const testFailed = (test: PythonTest): boolean => test.outcome === 'failed'

/** "2 tests passed, 1 failed, 1 skipped" */
export function testsSentence(tests: readonly PythonTest[]): string {
  const of = (outcome: PythonTest['outcome']): number => tests.filter((t) => t.outcome === outcome).length
  const rest = (['failed', 'skipped'] as const).filter((o) => of(o) > 0).map((o) => `, ${of(o)} ${o}`)
  return `${of('passed')} ${of('passed') === 1 ? 'test' : 'tests'} passed${rest.join('')}`
}
