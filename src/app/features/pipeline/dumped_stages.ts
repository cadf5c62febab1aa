/** The stages recorded by dumps of single passes among the workspace's graphs (vLLM's post_grad dumps, depyf). */
import { memoizeByText } from '../../../base/memoize'
import { passName, read } from '../../../engine/dumps'
import type { GraphFile } from '../../../workspace'

export interface DumpedStage {
  /** The graph's name in the workspace. */
  graph: string
  /** `before` for the graph that the first pass gets. */
  pass: string
  nodes: number
  /** Names of nodes that the previous stage lacks, and that only the previous stage has; nodes are matched by name. */
  added: string[]
  removed: string[]
}

/** The pass in a graph's name, which may begin with a compile id or a folder: `0_0.1.RMSNormQuantFusionPass.after.txt`. */
function passIn(name: string): string | null {
  const parts = name.replace(/\.txt$/, '').split('.')
  if (parts.at(-1) === 'before_post_grad_graph') return 'before the passes'
  const tails = parts.map((_, i) => passName(parts.slice(i).join('.')))
  const of = tails.find((t) => t && t.order !== null) ?? tails[0]
  return of ? (of.when === 'before' ? `before ${of.pass}` : of.pass) : null
}

/** The stages in the order of the graphs; empty if fewer than two graphs are dumps of passes. */
export function dumpedStages(graphs: readonly GraphFile[]): DumpedStage[] {
  const dumps = graphs.flatMap(({ name, text }) => {
    const pass = passIn(name)
    return pass === null ? [] : [{ graph: name, text, pass }]
  })
  if (dumps.length < 2) return []
  let last: ReadonlySet<string> | null = null
  return dumps.map(({ graph, text, pass }) => {
    const names = namesIn(text)
    const before: ReadonlySet<string> = last ?? names
    last = names
    const added = [...names].filter((n) => !before.has(n))
    return { graph, pass, nodes: names.size, added, removed: [...before].filter((n) => !names.has(n)) }
  })
}

/** Read once per text: a pipeline of many passes repeats most of its graphs between two edits. */
const namesIn = memoizeByText(
  (text): ReadonlySet<string> => new Set([...read(text, '').graph.nodes()].map((n) => n.name)),
  200,
)
