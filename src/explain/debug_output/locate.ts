/** Locates lines of PyTorch's debug output on the graph. */
import type { Cause } from '../causes'
import { message, node as nodePart, type Message } from '../../base/message'
import { debugMessages, sameTarget, targetOf, type DebugFacts } from './line_messages'
import { headOf, inlined, plain } from './pattern_text'
import type { DebugLine, LocatedDebugLine } from './types'

/** The part of a graph that locating lines needs; GraphView satisfies it. */
export interface DebugGraph {
  nodes: readonly {
    name: string
    target: string
    inner: string | null
    args: readonly string[]
    inputs: readonly number[]
    users: readonly number[]
  }[]
}

/** The part of a pass that locating lines needs; PassReport satisfies it. */
export interface DebugPass {
  name: string
  entries: readonly { index: number; title: string; text: string }[]
  nearMisses: readonly { entry: number; anchors: readonly string[]; causes?: readonly Cause[] }[]
  matches: readonly { entry: number; node: string }[]
}

/**
 * @param graph the graph before the passes
 * @param passes of the report; not needed to locate nodes
 */
export function locate(
  lines: readonly DebugLine[],
  graph: DebugGraph,
  passes: readonly DebugPass[],
): LocatedDebugLine[] {
  const index = new Map(graph.nodes.map((n, i) => [n.name, i]))
  const known = new Map<string, { pass: DebugPass; entry: number }>()
  for (const pass of passes)
    for (const e of pass.entries) {
      const text = inlined(e.text)
      if (text !== '' && !known.has(text)) known.set(text, { pass, entry: e.index })
    }
  const byText = new Map<string, { pass: DebugPass; entry: number } | null>()
  const entryOf = (text: string): { pass: DebugPass; entry: number } | null => {
    let found = byText.get(text)
    if (found === undefined) byText.set(text, (found = known.get(plain(text)) ?? null))
    return found
  }
  let before: { node: string; at: { pass: DebugPass; entry: number } | null } | null = null
  return lines.map((line, i) => {
    const specific = line.kind.startsWith('specific')
    let at = line.patternText && !specific ? entryOf(line.patternText) : null
    // A stage-two line follows the stage-one line of the same attempt.
    if (specific && before?.node === line.node) at = before.at
    if (line.kind === 'initial-matched') before = { node: line.node!, at }
    else if (line.kind !== 'other' && !specific) before = null
    const nodeIndex = line.node === null ? null : (index.get(line.node) ?? null)
    const located = { line, graph, index, nodeIndex }
    const about = aboutOf(located)
    const miss = at?.pass.nearMisses.find((m) => m.entry === at.entry && m.anchors.includes(line.node!))
    const { means, misleads } = debugMessages(factsOf(located, about, lines[i + 1]))
    const missing: Message | null =
      line.node !== null && nodeIndex === null
        ? message`This graph has no node ${nodePart(line.node)}: the log comes from another graph, or from a later pass.`
        : null
    return {
      ...line,
      nodeIndex,
      about,
      pass: at?.pass.name ?? null,
      entry: at?.entry ?? null,
      means,
      misleads: missing ?? misleads,
      cause: line.kind === 'other' ? null : (miss?.causes?.[0] ?? null),
    }
  })
}

interface LocatedLine {
  line: DebugLine
  graph: DebugGraph
  index: ReadonlyMap<string, number>
  nodeIndex: number | null
}

/** The nodes that a line actually concerns: those it names or, for a wrong number of users, the nodes with that number. */
function aboutOf({ line, graph, index, nodeIndex }: LocatedLine): number[] {
  const named = line.reasonNodes.flatMap((n) => index.get(n) ?? [])
  if (line.reasonKind === 'multiple_users' && named.length === 0 && nodeIndex !== null) {
    const head = headOf(line.partText ?? line.patternText ?? '')
    if (head)
      return near(
        graph,
        nodeIndex,
        (n) => sameTarget(targetOf(n), head.target) && wrongUsers(n.users.length, head.users),
      )
  }
  return named.length > 0 ? named : nodeIndex === null ? [] : [nodeIndex]
}

const wrongUsers = (found: number, expected: string): boolean => expected !== 'MULTIPLE' && found !== Number(expected)
/** The node and the nodes above it that satisfy the condition, nearest first. Examines a few hundred at most. */
function near(graph: DebugGraph, from: number, holds: (n: DebugGraph['nodes'][number]) => boolean): number[] {
  const seen = new Set([from])
  for (const i of seen) {
    if (seen.size > 300) break
    for (const input of graph.nodes[i]!.inputs) seen.add(input)
  }
  return [...seen].filter((i) => holds(graph.nodes[i]!)).slice(0, 4)
}

/** Facts that the messages of a line need. */
function factsOf({ line, graph }: LocatedLine, about: readonly number[], next: DebugLine | undefined): DebugFacts {
  const subject = about[0] === undefined ? null : graph.nodes[about[0]]!
  return {
    line,
    subject: subject && {
      name: subject.name,
      target: targetOf(subject),
      args: subject.args.length,
      users: subject.users.map((u) => graph.nodes[u]!.name),
    },
    goesOn: next?.kind.startsWith('specific') === true && next.node === line.node,
  }
}
