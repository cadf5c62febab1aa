/** `fusescope print`: reads a graph in any form, or the graph of a link, and prints it as print(graph) or print_readable. */
import { err, ok, type Result } from '../base/result'
import { isCapture } from '../engine/capture/read'
import { formatProblem, printGraph, printReadable, read, type Graph } from '../fx'
import type { Workspace } from '../workspace/types'
import type { Command } from './args'
import { capturedWorkspace, firstRunOf } from './captures/file'
import { readGraphSource } from './graph_source'
import { isFile, readText } from './input'
import { bad, writeDocument } from './output'
import { DONE } from './status'

export async function printCommand(command: Extract<Command, { kind: 'print' }>): Promise<number> {
  const graph = command.graph === null ? await graphOfLink(command) : graphOfFile(command.graph, command.run)
  if (!graph.ok) return bad(formatProblem(graph.error))
  const printed =
    command.as === 'fx' ? printGraph(graph.value) : printReadable(graph.value, { stride: true, device: true })
  // str(graph) does not end in a newline: a terminal gets an added one.
  writeDocument(printed)
  return DONE
}

function graphOfFile(name: string, run: number | null): Result<Graph> {
  const captured = capturedWorkspace(name, run)
  if (captured) return captured.ok ? ok(read(captured.value.graph.text, name).graph) : captured
  const source = readGraphSource(name)
  return source.ok ? ok(source.value.reading.graph) : source
}

/** The graph that a link shows; print_readable uses the text that contains the shapes. */
async function graphOfLink({ link, as }: Extract<Command, { kind: 'print' }>): Promise<Result<Graph>> {
  const given = link!
  const text = isFile(given) ? readText(given, 'the text of a link') : ok(given)
  if (!text.ok) return text
  const { decodeSnapshot } = await import('../workspace/link')
  const { loadBase } = await import('./link')
  const snapshot = await decodeSnapshot(text.value, isFile(given) ? given : 'link', loadBase)
  if (!snapshot.ok) return snapshot
  const workspace = runInLink(snapshot.value.workspace)
  if (!workspace.ok) return workspace
  const { graph, shapes } = workspace.value
  const shown = as === 'readable' && shapes ? shapes : graph
  const reading = read(shown.text, shown.name)
  const problem = reading.graph.size === 0 ? reading.problems[0] : undefined
  return problem ? err(problem) : ok(reading.graph)
}

/** In a link that fusescope_capture.py wrote, the graph is the capture. */
const runInLink = (workspace: Workspace): Result<Workspace> =>
  isCapture(workspace.graph.text) ? firstRunOf(workspace.graph.text, workspace.graph.name) : ok(workspace)
