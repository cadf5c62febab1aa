/** Runs a case of torch.fx's passes: the file, then its pass on the graph. */
import { printGraph, read } from '../../src/fx'
import type { Started } from '../../src/python/testing/start'

export interface RewriteCase {
  id: string
  file: string
  graph: string
  printed: string
  graph_after: string
}

/** The output of the file and its pass, and the graph after it; both as comparable texts. */
export interface Rewritten {
  printed: string[]
  after: string
}

export const recordedOf = ({ printed, graph_after }: RewriteCase): Rewritten => ({
  printed: linesOf(printed),
  after: graph_after,
})

/** @throws Error if the file raises */
export function rewritten(py: Started, { file, graph: text }: RewriteCase): Rewritten {
  const { graph } = read(text, 'g.txt')
  const run = py.run(file)
  if (run.failure) throw new Error(`${run.failure.type}: ${run.failure.message}`)
  const console = [...run.console]
  const stage = run.line.find((s) => s.hook === 'post_grad_custom_pre_pass')
  py.host.callPass(stage!.callable!, graph)
  console.push(...py.host.takeOutput())
  const said = console.filter((c) => c.stream === 'stdout').map((c) => c.text)
  return { printed: linesOf(said.join('\n')), after: printGraph(graph) }
}

const linesOf = (printed: string): string[] => printed.trim().replace(/\n+/g, '\n').split('\n')
