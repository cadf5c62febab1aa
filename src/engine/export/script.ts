/** The Python script of an export: files, operators, graphs and stages of a workspace, and the runtime that runs them. */
import { pyStringRepr } from '../../fx'
import { DEFAULT_ENVIRONMENT, type Workspace } from '../../workspace/types'
import { pythonFiles } from '../../workspace/python_files'
import type { GraphCode } from './graph_code'
import { dictLines, literal, textDict } from './python_text'
import type { ExportedStage } from './stages'
import type { ExpectedCounts } from './types'

export interface ScriptParts {
  workspace: Workspace
  /** File by module name, in the order of import. */
  modules: Readonly<Record<string, string>>
  /** Modules of packages that may not be installed, by path. */
  bundled: Readonly<Record<string, string>>
  /** Modules that nothing defines. */
  stubbed: readonly string[]
  operators: readonly string[]
  graphs: readonly { name: string; code: GraphCode }[]
  stages: readonly ExportedStage[]
  off: readonly string[]
  expected: ExpectedCounts
  notes: readonly string[]
  /** Python files of the runtime. */
  runtime: readonly string[]
}

export function scriptText(parts: ScriptParts, as: 'script' | 'pytest', fileName: string): string {
  return [
    head(parts, as, fileName),
    ...imports(parts.runtime, as),
    data(parts),
    ...parts.runtime.map(withoutHead),
    operatorsText(parts.operators),
    graphsText(parts.graphs),
    load(parts),
    MAIN_OR_TESTS[as],
  ].join('\n')
}

/** The docstring of the file. */
export function head(
  { workspace, notes }: Pick<ScriptParts, 'workspace' | 'notes'>,
  as: 'script' | 'pytest',
  fileName: string,
): string {
  const run = as === 'script' ? `python3 ${fileName}` : `python3 -m pytest ${fileName}`
  const does =
    as === 'script'
      ? 'Rebuilds the graphs and passes, and prints the number of matches of each pass.'
      : 'Rebuilds the graphs and passes, and asserts the number of matches of each pass.'
  const lines = [
    `${workspace.name}: exported from Fusescope for a real PyTorch, 2.6 or newer.`,
    '',
    `    ${run}`,
    '',
    does,
    ...notes.map((n) => `Note: ${n}`),
  ]
  return `"""${lines.join('\n').replaceAll('\\', '\\\\').replaceAll('"""', "'''")}\n"""`
}

/** The imports of all runtime files, each once. */
export function imports(runtime: readonly string[], as: 'script' | 'pytest', more: readonly string[] = []): string[] {
  const found = runtime.flatMap((text) => text.match(/^(?:import|from) .*$/gm) ?? [])
  const all = new Set([
    ...found,
    ...more,
    'import json',
    'import math',
    'import operator',
    'from math import inf, nan',
    'from torch import device',
  ])
  if (as === 'pytest') all.add('import pytest')
  return [...all].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
}

/** The standard library before torch, whole modules before their names. */
const sortKey = (line: string): string =>
  `${/\b(?:torch|pytest)\b/.test(line) ? 1 : 0}${line.startsWith('from') ? 1 : 0}${line}`

/** A runtime file without its docstring and imports. */
export const withoutHead = (text: string): string =>
  text
    .replace(/^"""[\s\S]*?"""\n/, '')
    .replace(/^(?:import|from) .*\n/gm, '')
    .replace(/^\n+/, '\n\n')
    .trimEnd()

function data(parts: ScriptParts): string {
  const { workspace, modules, bundled, stubbed, stages, off, expected } = parts
  const files = Object.fromEntries(pythonFiles(workspace).map((f) => [f.name, f.text]))
  const environment = { ...DEFAULT_ENVIRONMENT, ...workspace.environment }
  return `
# The files, by name.
USER_FILES = ${textDict(files)}

# The file of each module, in the order of import.
USER_MODULES = ${dictLines(modules)}

# How each stage runs, with the passes whose matches it counts.
STAGES = [
${stages.map(([how, names]) => `    (${pyStringRepr(how)}, ${literal(names)}),\n`).join('')}]

# Passes that are off in the workspace: code that applies them matches nothing.
OFF = ${literal(off)}

# The matches in Fusescope, by graph and pass.
EXPECTED = ${dictLines(expected)}

# The simulated environment, for modules that query it.
ENVIRONMENT = ${literal(environment)}

# Modules that neither the files nor this script define: their attributes are stubs.
STUBBED = ${literal(stubbed)}

# Replacements of packages, for those that are not installed.
BUNDLED = ${textDict(bundled)}`
}

export function operatorsText(lines: readonly string[]): string {
  const body = lines.length > 0 ? lines.map((l) => l.replaceAll(/^/gm, '    ')).join('\n') : '    pass'
  return `

def declare_operators():
    """Operators that PyTorch lacks, unless an installed package has them."""
${body}
`
}

function graphsText(graphs: ScriptParts['graphs']): string {
  const functions = graphs.map(
    ({ name, code }, i) => `
def graph_${i}(build):
    """${name.replaceAll('\\', '/').replaceAll('"', "'")}"""
${code.lines.map((l) => `    ${l}`).join('\n')}
`,
  )
  const table = graphs.map(({ name }, i) => `    ${pyStringRepr(name)}: graph_${i},\n`).join('')
  return `${functions.join('\n')}

GRAPHS = {
${table}}`
}

function load({ workspace }: ScriptParts): string {
  const v2 = workspace.environment?.functionalization === 'v2'
  return `

def load():
    """Declares the operators and imports the files. Returns their passes."""
    config.enable_auto_functionalized_v2 = ${v2 ? 'True' : 'False'}
    bundle(BUNDLED, ENVIRONMENT)
    stub(STUBBED)
    declare_operators()
    return Passes(import_files(USER_FILES, USER_MODULES))


def count_matches(passes, graph):
    """{pass: number of matches} on a graph."""
    module, mode = GRAPHS[graph](GraphBuilder())
    return run_stages(passes, STAGES, OFF, module, mode)
`
}

const MAIN = `

def main():
    passes = load()
    counts = {graph: count_matches(passes, graph) for graph in GRAPHS}
    if "--json" in sys.argv:
        print(json.dumps(counts))
        return
    for graph, found in counts.items():
        print(graph)
        for name, count in found.items():
            expected = EXPECTED.get(graph, {}).get(name)
            shown = "" if count == expected else f", {expected} in Fusescope"
            print(f"  {name}: {count} match{'' if count == 1 else 'es'}{shown}")


if __name__ == "__main__":
    main()
`

const TESTS = `

@pytest.fixture(scope="module")
def passes():
    return load()


@pytest.mark.parametrize("graph", list(GRAPHS))
def test_matches(passes, graph):
    assert count_matches(passes, graph) == EXPECTED[graph]
`

/** What follows `load`, `count_matches`, `GRAPHS` and `EXPECTED`. */
export const MAIN_OR_TESTS = { script: MAIN, pytest: TESTS }
