/** `fusescope match --graph …`: one graph and its patterns. */
import { basename } from 'node:path'
import { CaseRunner, type CaseOutput } from '../engine/cases'
import type { PythonProblem } from '../engine/protocol'
import { createSession } from '../engine/session'
import { formatProblem, read, type Problem, type Result } from '../fx'
import { nodeAssets } from '../python/node_assets'
import type { TextFile } from '../workspace/types'
import type { Command } from './args'
import { readText } from './input'
import { complain, write } from './output'
import { GRAPH_EXPECTED } from './print'
import { BAD_INPUT, DONE, UNMET } from './status'
import { summary } from './summary'

type MatchCommand = Extract<Command, { kind: 'match' }>

interface Inputs {
  graph: TextFile
  shapes: TextFile | undefined
  files: TextFile[]
}

export async function matchCommand(command: MatchCommand): Promise<number> {
  const inputs = readInputs(command)
  if (!inputs.ok) {
    complain(formatProblem(inputs.error))
    return BAD_INPUT
  }
  return command.json ? matchJson(command, inputs.value) : matchText(command, inputs.value)
}

async function matchJson(command: MatchCommand, { graph, shapes, files }: Inputs): Promise<number> {
  const runner = await CaseRunner.create(nodeAssets())
  const output = runner.run({
    id: basename(command.graph),
    pattern_py: files.map((f) => f.text).join('\n'),
    files,
    graph: graph.text,
    ...(shapes && { readable: shapes.text }),
    ...(command.passes.length > 0 && { passes: command.passes }),
  })
  write(1, `${JSON.stringify(output)}\n`)
  if (output.register_error !== null) {
    complain(`${files.map((f) => f.name).join(', ')}: ${output.register_error}`)
    return BAD_INPUT
  }
  return verdict(
    command,
    output.passes.map((p) => p.pass),
    countOf(output),
    applyErrorOf(output),
  )
}

async function matchText(command: MatchCommand, { graph, shapes, files }: Inputs): Promise<number> {
  const session = createSession(nodeAssets())
  await session.ready
  const { report } = session.analyzeWhole({
    name: command.graph,
    graph,
    ...(shapes && { shapes }),
    files,
    ...(command.passes.length > 0 && { passes: command.passes }),
    options: { timeLimitS: 3600 },
  })
  for (const { stream, text } of report.console)
    write(stream === 'stdout' ? 1 : 2, text.endsWith('\n') ? text : `${text}\n`)
  if (report.python) {
    complain(pythonLine(report.python, files))
    return BAD_INPUT
  }
  write(1, summary(report))
  const names = report.passes.map((p) => p.name)
  const count = report.passes.reduce((sum, p) => sum + p.count, 0)
  return verdict(command, names, count, report.passes.find((p) => p.applyError)?.applyError ?? null)
}

/** What the outcome means for the exit status, with the one line that says so. */
function verdict(command: MatchCommand, applied: readonly string[], count: number, applyError: string | null): number {
  const where = command.patterns.join(', ')
  const missing = command.passes.find((name) => !applied.includes(name))
  if (missing !== undefined) {
    complain(
      `${where}:1:1: there is no PatternMatcherPass called ${missing}; expected a module-level variable that holds one.`,
    )
    return BAD_INPUT
  }
  if (applied.length === 0) {
    complain(`${where}:1:1: no pass was found; expected a module-level variable that holds a PatternMatcherPass.`)
    return BAD_INPUT
  }
  if (applyError !== null) complain(`${where}: applying the passes raised ${applyError}`)
  if (command.expect === null || (applyError === null && count === command.expect)) return DONE
  complain(`expected ${command.expect} ${command.expect === 1 ? 'match' : 'matches'}, found ${count}.`)
  return UNMET
}

/** The files a command names. */
export function readInputs(command: Pick<MatchCommand, 'graph' | 'readable' | 'patterns'>): Result<Inputs> {
  const graph = readGraphFile(command.graph)
  if (!graph.ok) return graph
  const shapes = command.readable === null ? null : readGraphFile(command.readable)
  if (shapes && !shapes.ok) return shapes
  const files: TextFile[] = []
  for (const name of command.patterns) {
    const text = readText(name, 'a Python file that registers patterns')
    if (!text.ok) return text
    files.push({ name: moduleName(name, files), text: text.value })
  }
  return { ok: true, value: { graph: graph.value, shapes: shapes?.value, files } }
}

/** The text of a graph in which every line is understood. */
function readGraphFile(name: string): Result<TextFile> {
  const text = readText(name, GRAPH_EXPECTED)
  if (!text.ok) return text
  const problem: Problem | undefined = read(text.value, name).problems[0]
  return problem ? { ok: false, error: problem } : { ok: true, value: { name: basename(name), text: text.value } }
}

/** Files import each other by base name, so names must differ. */
function moduleName(path: string, taken: readonly TextFile[]): string {
  const name = basename(path)
  return taken.some((f) => f.name === name) ? path.replaceAll(/[/\\]/g, '_') : name
}

/** `file:line: ValueError: …`, from the innermost frame of the person's own code. */
export function pythonLine(problem: PythonProblem, files: readonly TextFile[]): string {
  const frame = problem.frames.at(-1)
  const where = frame ? `${frame.file}:${frame.line}` : (files[0]?.name ?? 'pattern')
  return `${where}: ${problem.type}: ${problem.message}`
}

const countOf = (output: CaseOutput): number => output.passes.reduce((sum, p) => sum + (p.count ?? 0), 0)
const applyErrorOf = (output: CaseOutput): string | null =>
  output.passes.find((p) => p.apply_error)?.apply_error ?? null
