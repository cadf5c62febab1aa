/** `fusescope print`: reads a graph in any form and prints it as print(graph) or print_readable. */
import { formatProblem, printGraph, printReadable, read } from '../fx'
import type { Command } from './args'
import { readText } from './input'
import { complainOf, GRAPH_EXPECTED, unreadable } from './inputs'
import { complain, write } from './output'
import { BAD_INPUT, DONE } from './status'

export function printCommand(command: Extract<Command, { kind: 'print' }>): number {
  const text = readText(command.graph, GRAPH_EXPECTED)
  if (!text.ok) {
    complain(formatProblem(text.error))
    return BAD_INPUT
  }
  const reading = read(text.value, command.graph)
  const problem = unreadable(reading)
  if (problem) {
    complain(formatProblem(problem))
    return BAD_INPUT
  }
  complainOf(reading, command.graph)
  const { graph } = reading
  const printed = command.as === 'fx' ? printGraph(graph) : printReadable(graph, { stride: true, device: true })
  // str(graph) does not end in a newline: a file or a pipe gets the exact bytes, a terminal gets an added newline.
  write(1, process.stdout.isTTY && !printed.endsWith('\n') ? `${printed}\n` : printed)
  return DONE
}
