/** Reads the inputs of the commands that take one graph, builds their workspace, and formats shared error messages. */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Cause, PythonFailure } from '../engine/protocol'
import { failureText } from '../engine/report/file_outcomes'
import type { CaseStage } from '../engine/cases/case_output'
import { readGraph } from '../engine/cases/graph_file'
import { nothingRunsText } from '../engine/pipeline/nothing_runs'
import { applyTyped, parseShapesFile, shapeProblems, type TypedShapes } from '../engine/shapes/typed_shapes'
import { read, textKind, type Result } from '../fx'
import { firstIssue, readSnapshotFile, withRegistrations, workspaceSchema } from '../workspace'
import type { TextFile, Workspace } from '../workspace/types'
import type { OneGraph } from './args'
import { readGraphSource, unreadable } from './graph_source'
import { PATTERN_EXPECTED, pythonFilesAt } from './folders'
import { jsonOf, pathOf, readText } from './input'

export interface Inputs {
  graph: TextFile
  shapes: TextFile | undefined
  /** Given with `--shapes`. */
  inputShapes: TypedShapes | undefined
  files: TextFile[]
}

/** The input files of a command. */
export function readInputs(command: OneGraph): Result<Inputs> {
  const graph = readGraphFile(command.graph)
  if (!graph.ok) return graph
  const shapes = command.readable === null ? null : readGraphFile(command.readable)
  if (shapes && !shapes.ok) return shapes
  const inputShapes = command.shapes === null ? null : readShapes(command.shapes, graph.value, shapes?.value)
  if (inputShapes && !inputShapes.ok) return inputShapes
  const files = readPatterns(command.patterns)
  if (!files.ok) return files
  const value = { graph: graph.value, shapes: shapes?.value, inputShapes: inputShapes?.value, files: files.value }
  return { ok: true, value }
}

/** The shapes of a `--shapes` file; each must fit a node of the graph. */
function readShapes(name: string, graph: TextFile, shapes: TextFile | undefined): Result<TypedShapes> {
  const text = readText(name, 'a JSON file of shapes by node name')
  if (!text.ok) return text
  const parsed = parseShapesFile(text.value, name)
  if (!parsed.ok) return parsed
  const wrong = applyTyped(readGraph({ ...graph, ...(shapes && { shapes }) }).graph, parsed.value)
  const problem = shapeProblems(wrong, text.value, name)[0]
  return problem ? { ok: false, error: problem } : parsed
}

/** The Python files that register patterns, in the order in which they run. */
export function readPatterns(names: readonly string[]): Result<TextFile[]> {
  const files: TextFile[] = []
  // As with graphs, a file named twice counts once.
  for (const name of new Set(names)) {
    const found = pythonFilesAt(name)
    if (!found.ok) return found
    for (const { path, module } of found.value) {
      const text = readText(path, PATTERN_EXPECTED)
      if (!text.ok) return text
      // For an issue's text: the registrations that it contains among other things.
      const program = path.endsWith('.py') ? text.value : (textKind(text.value).patterns ?? text.value)
      const known = files.some((f) => f.name === module && f.text === program)
      if (!known) files.push({ name: module === null ? moduleName(path, files) : module, text: program })
    }
  }
  // Printed patterns, which nothing registers.
  const [only] = files
  if (files.length === 1) files[0] = { name: only!.name, text: withRegistrations(only!.text) ?? only!.text }
  return { ok: true, value: files }
}

/** The graph that a name stands for (see readGraphSource), as a file of the workspace. */
export function readGraphFile(name: string): Result<TextFile> {
  const source = readGraphSource(name)
  return source.ok ? { ok: true, value: { name: source.value.name, text: source.value.text } } : source
}

/** Files import each other by base name, so names must differ; only files are named this way that Python runs. */
function moduleName(path: string, taken: readonly TextFile[]): string {
  const base = basename(path)
  const name = base.endsWith('.py') ? base : `${base.replace(/\.\w{1,8}$/, '')}.py`
  if (!taken.some((f) => f.name === name)) return name
  return `${path.replace(/\.py$/, '').replaceAll(/[/\\.]/g, '_')}.py`
}

/**
 * `file:line: ValueError: …`, from the innermost user frame.
 * @param causes the report's causes, one of which may explain the exception
 */
export function pythonLine(problem: PythonFailure, files: readonly TextFile[], causes: readonly Cause[] = []): string {
  const frame = problem.frames.at(-1)
  const where = frame ? `${frame.file}:${frame.line}` : (files[0]?.name ?? 'pattern')
  return `${where}: ${failureText(problem, causes)}`
}

export const workspaceOf = (
  command: Pick<OneGraph, 'passes' | 'environment'>,
  { graph, shapes, inputShapes, files }: Inputs,
): Workspace => ({
  name: graph.name,
  graph,
  ...(shapes && { shapes }),
  ...(inputShapes && { inputShapes: { ...inputShapes } }),
  files,
  ...(command.passes.length > 0 && { passes: command.passes }),
  ...(command.environment && { environment: command.environment }),
  options: { timeLimitS: 3600 },
})

/** A workspace.json, a snapshot's file, or the id of an example. */
export function readWorkspace(nameOrId: string): Result<Workspace> {
  const expected = 'a workspace.json, a NAME.fusescope.json, or the id of an example'
  const name = exampleFile(nameOrId) ?? nameOrId
  const text = readText(name, expected)
  if (!text.ok) return text
  const value = jsonOf(text.value)
  const alone = workspaceSchema.safeParse(value)
  if (alone.success) return { ok: true, value: alone.data }
  if (typeof value === 'object' && value !== null && !('v' in value)) {
    const message = `this is not a workspace: ${firstIssue(alone.error)}; expected ${expected}.`
    return { ok: false, error: { file: name, line: 1, column: 1, message, expected } }
  }
  // This reader also reports the error in a file that is neither a workspace nor a snapshot.
  const snapshot = readSnapshotFile(text.value, name)
  return snapshot.ok ? { ok: true, value: snapshot.value.workspace } : snapshot
}

/** A workspace whose graph can be read. */
export function readWorkspaceWithGraph(nameOrId: string): Result<Workspace> {
  const workspace = readWorkspace(nameOrId)
  if (!workspace.ok) return workspace
  const { graph, shapes } = workspace.value
  for (const [field, file] of Object.entries({ graph, ...(shapes && { shapes }) })) {
    const problem = unreadable(read(file.text, file.name))
    if (problem) {
      const message = `workspace.${field}.text: ${problem.message}`
      return { ok: false, error: { ...problem, file: `${nameOrId} (${file.name})`, message } }
    }
  }
  return workspace
}

/** The workspace of an example; null for a name that is a file, or that is no example's. */
function exampleFile(id: string): string | null {
  if (!/^[\w-]+$/.test(id) || existsSync(pathOf(id))) return null
  const path = fileURLToPath(new URL(`../../public/examples/${id}/workspace.json`, import.meta.url))
  return existsSync(path) ? path : null
}

/** Message for a `--pass` that names no stage. */
export const noSuchPass = ({ patterns }: { patterns: readonly string[] }, name: string): string =>
  `${patterns.join(', ')}:1:1: there is no pass called ${name}; expected the name of a stage: a variable, a class or a function (fusescope passes lists them).`

/** Message if no part of the files ran: what they define, and how to run it. */
export function nothingRan(
  { patterns }: { patterns: readonly string[] },
  stages: readonly CaseStage[],
  defines: readonly string[],
): string {
  const named = stages.map((s) => ({ ...s, name: s.stage }))
  return `${patterns.join(', ')}:1:1: ${nothingRunsText(named, defines, '--pass NAME runs it')}`
}
