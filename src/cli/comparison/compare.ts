/** `fusescope compare`: two graphs, and the matches that only one of them has. */
import { count } from '../../base/english'
import type { ComparedMatch, CompareReport } from '../../engine/compare/types'
import { createSession } from '../../engine/session/session'
import { formatProblem } from '../../fx'
import { nodeAssets } from '../../python/node_assets'
import type { TextFile } from '../../workspace/types'
import type { Command } from '../args'
import { pythonLine, readGraphFile, readPatterns } from '../inputs'
import { complain, write } from '../output'
import { BAD_INPUT, DONE } from '../status'

export async function compareCommand(command: Extract<Command, { kind: 'compare' }>): Promise<number> {
  const graphs: TextFile[] = []
  for (const name of [command.old, command.new]) {
    const graph = readGraphFile(name)
    if (!graph.ok) {
      complain(formatProblem(graph.error))
      return BAD_INPUT
    }
    graphs.push({ ...graph.value, name })
  }
  const [old, now] = graphs as [TextFile, TextFile]
  const files = readPatterns(command.patterns)
  if (!files.ok) {
    complain(formatProblem(files.error))
    return BAD_INPUT
  }
  // A workspace's graphs have different names.
  const other = old.name === now.name ? { ...old, name: `${old.name} (old)` } : old
  const passes = command.passes.length > 0 ? { passes: command.passes } : {}
  const options = { timeLimitS: 3600 }
  const session = createSession(nodeAssets())
  await session.ready
  const { report } = session.analyze({
    name: now.name,
    graph: now,
    graphs: [other],
    files: files.value,
    ...passes,
    options,
  })
  if (report.python) {
    complain(pythonLine(report.python, files.value))
    return BAD_INPUT
  }
  const compared = session.compare(other.name, 'old')
  write(1, command.json ? `${JSON.stringify(jsonOf(compared))}\n` : textOf(compared))
  return DONE
}

/** The report without its views of the graphs, which --graph already has. */
const jsonOf = ({ old, now, ...rest }: CompareReport): object => ({
  old: { name: old.name, nodes: old.graph.nodes.length },
  now: { name: now.name, nodes: now.graph.nodes.length },
  ...rest,
})

/** Lines per list of places. */
const MAX_PLACES = 8

function textOf({ old, now, paired, changes, lost, won, kept }: CompareReport): string {
  const lines = [
    `${old.name} (${count(old.graph.nodes.length, 'node')}) → ${now.name} (${count(now.graph.nodes.length, 'node')}): ${paired} nodes in both`,
    changes.length === 0 ? 'no change' : `${count(changes.length, 'change')}:`,
    ...changes.map((c, i) => `  ${i + 1}. ${c.sentence}`),
    ...kept.map((k) => `${k.pass}: ${count(k.count, 'match', 'matches')} in both`),
    ...section('lost', lost),
    ...section('won', won),
  ]
  return `${lines.join('\n')}\n`
}

function section(title: string, matches: readonly ComparedMatch[]): string[] {
  return matches.flatMap((m) => {
    const nodes = m.places.slice(0, MAX_PLACES).map((p) => p.node)
    const more = m.places.length > MAX_PLACES ? ', …' : ''
    return [
      `${title}: ${m.pass}, ${m.title}: ${count(m.places.length, 'match', 'matches')} at ${nodes.join(', ')}${more}`,
      `  ${m.sentence}`,
    ]
  })
}
