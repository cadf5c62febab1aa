/** A captured run: its patterns come from the capture, so no Python runs. */
import type { Node } from '../../fx'
import type { PythonRun } from '../../python/types'
import type { Interpreter } from '../run/interpreter'
import { factsOf, NOTHING_MISSING, type Run } from '../run/run'
import type { ReadGraph } from '../session/graph_cache'
import type { Workspace } from '../../workspace/types'
import { pythonFiles } from '../../workspace/python_files'
import type { Replay } from './replay'

/** No file ran; the stages come from the capture. */
const recordedPython = ({ pipeline }: Replay): PythonRun => ({
  passes: [],
  line: pipeline.stages.flatMap(({ stage }) => ('defined' in stage ? [stage.defined] : [])),
  files: [],
  failure: null,
  console: [],
  stubs: [],
  asked: [],
  bodies: new Map(),
  ms: 0,
})

/** The recorded graph instead of the graph read from its text, but with the lines of that text. */
export function recordedSource(read: ReadGraph, { source }: Replay): ReadGraph {
  const lines = new Map([...read.graph.nodes()].map((n: Node) => [n.name, n.meta.textLine]))
  for (const n of source.nodes()) {
    const line = lines.get(n.name)
    if (line !== undefined) n.meta.textLine = line
  }
  return { ...read, graph: source }
}

/** @param source in the form of recordedSource */
export function recordedRun(interpreter: Interpreter, workspace: Workspace, source: ReadGraph, recorded: Replay): Run {
  const registrations = { registry: recorded.registry, python: recordedPython(recorded), holding: recorded }
  return {
    files: pythonFiles(workspace),
    environment: workspace.environment,
    listed: workspace.passes,
    graph: source.graph,
    missing: NOTHING_MISSING,
    registrations,
    pipeline: recorded.pipeline,
    outcomes: [],
    failure: null,
    stubs: [],
    console: [],
    recorded,
    ...interpreter.with(registrations, () => factsOf(interpreter, registrations)),
  }
}
