/** `fusescope print`: reads a graph in any form and prints it as print(graph) or print_readable. */
import { formatProblem, printGraph, printReadable } from '../fx'
import type { Command } from './args'
import { readGraphSource } from './graph_source'
import { complain, write } from './output'
import { BAD_INPUT, DONE } from './status'

export function printCommand(command: Extract<Command, { kind: 'print' }>): number {
  const source = readGraphSource(command.graph)
  if (!source.ok) {
    complain(formatProblem(source.error))
    return BAD_INPUT
  }
  const { graph } = source.value.reading
  const printed = command.as === 'fx' ? printGraph(graph) : printReadable(graph, { stride: true, device: true })
  // str(graph) does not end in a newline: a file or a pipe gets the exact bytes, a terminal gets an added newline.
  write(1, process.stdout.isTTY && !printed.endsWith('\n') ? `${printed}\n` : printed)
  return DONE
}
