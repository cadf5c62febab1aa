/** The Python script of an export: files, operators, graphs and stages of a workspace, and the runtime that runs them. */
import { code, joined, literal, proseText, type Code } from '../../fx/code/code'
import { DEFAULT_ENVIRONMENT, type Workspace } from '../../workspace/types'
import { pythonFiles } from '../../workspace/python_files'
import type { GraphCode } from './graph_code'
import { dictLines, textDict } from './python_text'
import type { ExportedStage } from './stages'
import type { ExpectedCounts } from './types'

export interface ScriptParts {
  workspace: Workspace
  /** File by module name, in the order of import. */
  modules: Readonly<Record<string, string>>
  /** Modules of packages that may not be installed, by path. */
  bundled: Readonly<Record<string, string>>
  /** Modules without a definition. */
  stubbed: readonly string[]
  operators: readonly Code[]
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
    head({ ...parts, code: codeOf(parts) }, as, fileName),
    ...imports(parts.runtime, as),
    data(parts),
    ...parts.runtime.map(withoutHead),
    operatorsText(parts.operators),
    graphsText(parts.graphs),
    load(parts),
    MAIN_OR_TESTS[as],
  ].join('\n')
}

/** The docstring of the file: its purpose, and which parts of it are code. */
export function head(
  { workspace, notes, code: whose }: Pick<ScriptParts, 'workspace' | 'notes'> & { code: string },
  as: 'script' | 'pytest',
  fileName: string,
): string {
  const run = as === 'script' ? `python3 ${fileName}` : `python3 -m pytest ${fileName}`
  const does =
    as === 'script'
      ? 'Rebuilds the graphs and passes, and prints the number of matches of each pass.'
      : 'Rebuilds the graphs and passes, and asserts the number of matches of each pass.'
  const lines = [
    `${proseText(workspace.name)}: exported from Fusescope for a real PyTorch, 2.6 or newer.`,
    '',
    `    ${run}`,
    '',
    does,
    '',
    whose,
    ...notes.map((n) => `Note: ${proseText(n, 2000)}`),
  ]
  return `"""${lines.join('\n')}\n"""`
}

/** Which parts of a script are code, and whose. */
function codeOf({ workspace }: Pick<ScriptParts, 'workspace'>): string {
  const names = pythonFiles(workspace).map((f) => proseText(f.name, 100))
  const data = 'The graphs, names and counts are data: nothing of them is imported, called or evaluated.'
  return names.length === 0
    ? `The code of this file is Fusescope's. ${data}`
    : `The Python files of the workspace are in USER_FILES, and importing them runs them: ${names.join(', ')}.
Read them first if somebody else wrote the workspace. All other code of this file is Fusescope's.
${data}`
}

/** The imports of all runtime files, each once. */
export function imports(runtime: readonly string[], as: 'script' | 'pytest', more: readonly string[] = []): string[] {
  const found = runtime.flatMap((text) => text.match(/^(?:import|from) .*$/gm) ?? [])
  const all = new Set([
    ...found,
    ...more,
    'import builtins',
    'import json',
    'import math',
    'import operator',
    'from math import inf, nan',
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

function data(parts: ScriptParts): Code {
  const { workspace, modules, bundled, stubbed, stages, off, expected } = parts
  const files = Object.fromEntries(pythonFiles(workspace).map((f) => [f.name, f.text]))
  const environment = { ...DEFAULT_ENVIRONMENT, ...workspace.environment }
  environment.flags = Object.fromEntries(Object.entries(environment.flags).filter(([k, v]) => !isPath(k, v)))
  return code`
# The files, by name.
USER_FILES = ${textDict(files)}

# The file of each module, in the order of import.
USER_MODULES = ${dictLines(modules)}

# How each stage runs, with the passes whose matches it counts.
STAGES = [
${joined(
  stages.map(([how, names]) => code`    (${literal(how)}, ${literal(names)}),\n`),
  '',
)}]

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

/** The files' code may write to a folder that a flag names; in Fusescope there is no such folder. */
const isPath = (name: string, value: unknown): boolean =>
  typeof value === 'string' && (/[/\\]/.test(value) || /(?:path|dir|root|home|folder|file)$/i.test(name))

export function operatorsText(lines: readonly Code[]): Code {
  const body = lines.length > 0 ? joined(lines, '\n').replaceAll(/^/gm, '    ') : '    pass'
  return code`

def declare_operators():
    """Operators that PyTorch lacks, unless an installed package has them."""
${body as Code}
`
}

function graphsText(graphs: ScriptParts['graphs']): Code {
  const functions = graphs.map(
    ({ name, code: { lines } }, i) => code`
def graph_${literal(i)}(build):
    """${proseText(name)}"""
${joined(
  lines.map((l) => code`    ${l}`),
  '\n',
)}
`,
  )
  const table = graphs.map(({ name }, i) => code`    ${literal(name)}: graph_${literal(i)},\n`)
  return code`${joined(functions, '\n')}

GRAPHS = {
${joined(table, '')}}`
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
    with guarded():
        module, mode = GRAPHS[graph](GraphBuilder())
        return run_stages(passes, STAGES, OFF, module, mode)
`
}

const MAIN = `

def main():
    passes = load()
    counts = {graph: count_matches(passes, graph) for graph in GRAPHS}
    if "--json" in sys.argv:
        print(json_text(counts))
        return
    for graph, found in counts.items():
        print(visible(graph))
        for name, count in found.items():
            expected = EXPECTED.get(graph, {}).get(name)
            shown = "" if count == expected else f", {expected} in Fusescope"
            print(f"  {visible(name)}: {count} match{'' if count == 1 else 'es'}{shown}")


if __name__ == "__main__":
    plainly(main)
`

const TESTS = `

@pytest.fixture(scope="module")
def passes():
    return plainly(load)


def counts_at(passes, at):
    """{pass: number of matches}, here and in Fusescope; pytest prints them."""
    graph = [*GRAPHS][at]
    counts = count_matches(passes, graph), EXPECTED[graph]
    return [{visible(name): n for name, n in of.items()} for of in counts]


@pytest.mark.parametrize("at", range(len(GRAPHS)), ids=[visible(name) for name in GRAPHS])
def test_matches(passes, at):
    found, expected = plainly(counts_at, passes, at)
    assert found == expected
`

/** The part of the script after `load`, `count_matches`, `GRAPHS` and `EXPECTED`. */
export const MAIN_OR_TESTS = { script: MAIN, pytest: TESTS }
