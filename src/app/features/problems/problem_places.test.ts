import { expect, it } from 'vitest'
import type { Report } from '../../../engine/protocol'
import { problemPlaces } from './problem_places'

const workspace = {
  name: 'w',
  graph: { name: 'graph.py', text: '' },
  files: [{ name: 'patterns.py', text: '' }],
  options: { timeLimitS: 1 },
}

it('lists errors before lints, by file and line, each once', () => {
  const raised = {
    type: 'ValueError',
    message: 'no key',
    frames: [{ file: 'patterns.py', line: 9, code: '' }],
    traceback: '',
  }
  const problem = { file: 'patterns.py', line: 3, column: 5, message: 'invalid syntax' }
  const lint = { source: { file: 'patterns.py', line: 1 }, sentence: 'the dtype is unchecked' }
  const report = { passes: [{ lints: [lint, lint] }] } as unknown as Report
  const places = problemPlaces(workspace, raised, [problem], report)
  expect(places.map((p) => [p.tone, p.line, p.column, p.text])).toEqual([
    ['bad', 3, 5, 'invalid syntax'],
    ['bad', 9, 1, expect.stringContaining('no key')],
    ['warn', 1, 1, 'the dtype is unchecked'],
  ])
})

it('lists a pass without patterns at the line that makes it', () => {
  const files = [{ name: 'patterns.py', text: 'import torch\npasses = PatternMatcherPass()\n' }]
  const cause = { kind: 'not-registered', sentence: 'No pattern is registered.' }
  const report = {
    passes: [{ causes: [cause, { kind: 'root-absent', sentence: 'never tried' }] }],
  } as unknown as Report
  expect(problemPlaces({ ...workspace, files }, null, [], report)).toEqual([
    { file: 'patterns.py', line: 2, column: 1, text: 'No pattern is registered.', tone: 'warn' },
  ])
})
