/** `fusescope compare`: two graphs, and the matches that only one of them has. */
import { formatProblem } from '../../fx'
import type { TextFile } from '../../workspace/types'
import type { Command } from '../args'
import { pythonLine, readGraphFile, readPatterns } from '../inputs'
import { bad, show, writeJson, named } from '../output'
import { DONE } from '../status'
import { startSession } from '../calls'
import { basename } from 'node:path'
import { compareCaptures } from '../../engine/capture/compare_captures'
import { runsOf } from '../../engine/capture/runs'
import { captureOf } from '../captures/file'
import { count } from '../../base/english'
import type { ComparedMatch, CompareReport } from '../../engine/compare/types'

export async function compareCommand(command: Extract<Command, { kind: 'compare' }>): Promise<number> {
  const captured = comparedCaptures(command)
  if (captured !== null) return captured
  const graphs: TextFile[] = []
  for (const name of [command.old, command.new]) {
    const graph = readGraphFile(name)
    if (!graph.ok) return bad(formatProblem(graph.error))
    graphs.push({ ...graph.value, name })
  }
  const [old, now] = graphs as [TextFile, TextFile]
  const files = readPatterns(command.patterns)
  if (!files.ok) return bad(formatProblem(files.error))
  // A workspace's graphs have different names.
  const other = old.name === now.name ? { ...old, name: `${old.name} (old)` } : old
  const passes = command.passes.length > 0 ? { passes: command.passes } : {}
  const options = { timeLimitS: 3600 }
  const session = await startSession()
  const { report } = session.analyze({
    name: now.name,
    graph: now,
    graphs: [other],
    files: files.value,
    ...passes,
    options,
  })
  if (report.python) return bad(pythonLine(report.python, files.value))
  const compared = session.compare(other.name, 'old')
  if (command.json) writeJson(jsonOf(compared))
  else show(1, linesOf(compared))
  return DONE
}

/**
 * For two captures, the matches that PyTorch replaced in only one of the runs. Returns the exit status; null if one of the files is
 * not a capture.
 */
function comparedCaptures(command: Extract<Command, { kind: 'compare' }>): number | null {
  const sides = [command.old, command.new].map((file) => ({ file, read: captureOf(file, true) }))
  const captures = sides.flatMap(({ file, read }) => (read.ok && read.value ? [{ file, ...read.value }] : []))
  if (captures.length === 0) return null
  const other = sides.find(({ read }) => !read.ok || read.value === null)
  if (other) {
    if (!other.read.ok) return bad(formatProblem(other.read.error))
    return bad(`${other.file}:1:1: this is not a capture; a capture is compared with another one`)
  }
  const runs = captures.map(({ capture }) => runsOf(capture).map((r) => r.run))
  const { run } = command
  const chosen = runs.map((list) => (run === null && list.length === 1 ? list[0] : list.find((r) => r === run)))
  const wrong = chosen.findIndex((r) => r === undefined)
  if (wrong >= 0) {
    const [file, list] = [captures[wrong]!.file, runs[wrong]!.join(', ')]
    if (list === '') return bad(`${file}:1:1: the capture holds no pass with its graph`)
    return bad(`${file}:1:1: the capture has the graphs ${list}: add --run with a number that both captures have`)
  }
  const same = basename(command.old) === basename(command.new)
  const [old, now] = captures.map(({ file, capture }, i) => ({
    name: same ? file : basename(file),
    capture,
    run: chosen[i]!,
  }))
  const compared = compareCaptures(old!, now!)
  if (command.json) writeJson(jsonOf(compared))
  else show(1, linesOf(compared))
  return DONE
}

/** The report without its views of the graphs, which --graph already has. */
const jsonOf = ({ old, now, pairs: _pairs, ...rest }: CompareReport): object => ({
  old: { name: old.name, nodes: old.graph.nodes.length },
  now: { name: now.name, nodes: now.graph.nodes.length },
  ...rest,
})

/** Maximum number of lines per list of places. */
const MAX_PLACES = 8

function linesOf({ old, now, paired, changes, lost, won, kept, patterns }: CompareReport): string[] {
  return [
    `${old.name} (${count(old.graph.nodes.length, 'node')}) → ${now.name} (${count(now.graph.nodes.length, 'node')}): ${paired} nodes in both`,
    ...(patterns ?? []).map((p) => `pattern ${p}`),
    changes.length === 0 ? 'no change' : `${count(changes.length, 'change')}:`,
    ...changes.map((c, i) => `  ${i + 1}. ${c.sentence}`),
    ...kept.map((k) => `${named(k.pass)}: ${count(k.count, 'match', 'matches')} in both`),
    ...section('lost', lost),
    ...section('won', won),
  ]
}

function section(title: string, matches: readonly ComparedMatch[]): string[] {
  return matches.flatMap((m) => {
    const nodes = m.places.slice(0, MAX_PLACES).map((p) => p.node)
    const more = m.places.length > MAX_PLACES ? ', …' : ''
    return [
      `${title}: ${named(m.pass)}, ${m.title}: ${count(m.places.length, 'match', 'matches')} at ${nodes.join(', ')}${more}`,
      `  ${m.sentence}`,
    ]
  })
}
