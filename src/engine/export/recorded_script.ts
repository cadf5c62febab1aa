/** The Python script of a captured run: its graphs and patterns as PyTorch recorded them, and the runtime that applies them. */
import type { Workspace } from '../../workspace/types'
import { PATTERN_CLASSES } from './patterns'
import { literal, type Code } from '../../fx/code/code'
import { dictLines } from './python_text'
import { head, imports, MAIN_OR_TESTS, operatorsText, withoutHead } from './script'
import type { ExpectedCounts } from './types'

export interface RecordedParts {
  workspace: Workspace
  operators: readonly Code[]
  /** See RecordedCode. */
  blocks: readonly Code[]
  expected: ExpectedCounts
  notes: readonly string[]
  runtime: readonly string[]
}

const NO_CODE =
  "The code of this file is Fusescope's. What the capture holds is data: nothing of it is imported, called or evaluated."

export function recordedScriptText(parts: RecordedParts, as: 'script' | 'pytest', fileName: string): string {
  const { runtime, operators, blocks, expected, workspace } = parts
  const body = blocks.join('\n\n\n')
  const used = [...new Set(body.match(PATTERN_CLASSES) ?? [])].sort()
  const classes = used.length > 0 ? [`from torch._inductor.pattern_matcher import ${used.join(', ')}`] : []
  return [
    head({ ...parts, code: NO_CODE }, as, fileName),
    ...imports(runtime, as, classes),
    `
# The matches in Fusescope, by graph and pass.
EXPECTED = ${dictLines(expected)}`,
    ...runtime.map(withoutHead),
    operatorsText(operators),
    '',
    body,
    `
GRAPHS = [${literal(workspace.graph.name)}]


def load():
    """Declares the operators. Returns the applications of the recorded run."""
    declare_operators()
    return applications()


def count_matches(applications, graph):
    """{pass: number of matches}. Each pass starts with the graph that it started with in the recorded run."""
    counts = {}
    for application in applications:
        name, count = application["name"], apply_recorded(application)
        counts[name] = None if count is None else counts.get(name, 0) + count
    return counts
`,
    MAIN_OR_TESTS[as],
  ].join('\n')
}
