/** One graph and its patterns as a case. */
import { basename } from 'node:path'
import { type CaseInput, caseRun } from '../engine/cases/cases'
import type { Interpreter } from '../engine/run/interpreter'
import type { OneGraph } from './args'
import { filesWithCalls } from './calls'
import type { Inputs } from './inputs'

type CaseCommand = Pick<OneGraph, 'graph' | 'passes' | 'calls' | 'environment'>

/** The case's files include the one that makes the calls of `--call`; `--call all` runs the files once to find them. */
export function caseInput(interpreter: Interpreter, command: CaseCommand, inputs: Inputs): CaseInput {
  const { graph, shapes, inputShapes, files } = inputs
  const input = {
    id: basename(command.graph),
    pattern_py: files.map((f) => f.text).join('\n'),
    graph: graph.text,
    ...(shapes && { readable: shapes.text }),
    ...(inputShapes && { shapes: inputShapes }),
    ...(command.passes.length > 0 && { passes: [...command.passes] }),
    ...(command.environment && { environment: command.environment }),
  }
  const all = filesWithCalls(files, command.calls, (f) => {
    return caseRun(interpreter, { ...input, files: f }, 'counts').run.outcomes
  })
  return { ...input, files: all }
}
