/** A captured run in the form in which Python's runs are reported. */
import type { Node } from '../../fx'
import type { PythonRun } from '../../python/types'
import type { ReadGraph } from '../session/graph_cache'
import type { Replay } from './replay'

/** No file ran; the stages are those of the capture. */
export const recordedPython = ({ pipeline }: Replay): PythonRun => ({
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

/** The recorded graph in place of the one read from its text, with the lines of that text. */
export function recordedSource(read: ReadGraph, { source }: Replay): ReadGraph {
  const lines = new Map([...read.graph.nodes()].map((n: Node) => [n.name, n.meta.textLine]))
  for (const n of source.nodes()) {
    const line = lines.get(n.name)
    if (line !== undefined) n.meta.textLine = line
  }
  return { ...read, graph: source }
}
