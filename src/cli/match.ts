/** `fusescope match --graph …`: one graph and its patterns. */
import { basename } from 'node:path'
import { CaseRunner, type CaseOutput } from '../engine/cases/cases'
import { createSession } from '../engine/session/session'
import { formatProblem } from '../fx'
import { nodeAssets } from '../python/node_assets'
import type { Command } from './args'
import { noSuchPass, pythonLine, readInputs, workspaceOf, type Inputs } from './inputs'
import { complain, write } from './output'
import { BAD_INPUT, DONE, UNMET } from './status'
import { summary } from './summary'

type MatchCommand = Extract<Command, { kind: 'match' }>

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
  if (runner.failure) {
    complain(pythonLine(runner.failure, files))
    return BAD_INPUT
  }
  return verdict(
    command,
    output.passes.map((p) => p.pass),
    countOf(output),
    applyErrorOf(output),
  )
}

async function matchText(command: MatchCommand, inputs: Inputs): Promise<number> {
  const session = createSession(nodeAssets())
  await session.ready
  const { report } = session.analyzeWhole(workspaceOf(command, inputs))
  for (const { stream, text } of report.console)
    write(stream === 'stdout' ? 1 : 2, text.endsWith('\n') ? text : `${text}\n`)
  if (report.python) {
    complain(pythonLine(report.python, inputs.files))
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
    complain(noSuchPass(command, missing))
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

const countOf = (output: CaseOutput): number => output.passes.reduce((sum, p) => sum + (p.count ?? 0), 0)
const applyErrorOf = (output: CaseOutput): string | null =>
  output.passes.find((p) => p.apply_error)?.apply_error ?? null
