/** Places what PyTorch printed on the graph, and says in plain words what each line means and what it does not say. */
import type { Cause } from '../causes'
import { listed } from '../../base/english'
import { headOf, inlined, plain } from './pattern_text'
import type { DebugLine, LocatedDebugLine } from './types'

/** What is read of a graph: GraphView has it. */
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

/** What is read of a pass: PassReport has it. */
export interface DebugPass {
  name: string
  entries: readonly { index: number; title: string; text: string }[]
  nearMisses: readonly { entry: number; anchors: readonly string[]; causes?: readonly Cause[] }[]
  matches: readonly { entry: number; node: string }[]
}

/** @param graph the graph the passes started from  @param passes of the report; none are needed to place the nodes */
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
    // A line of stage two follows the line of stage one that it goes on from.
    if (specific && before?.node === line.node) at = before.at
    if (line.kind === 'initial-matched') before = { node: line.node!, at }
    else if (line.kind !== 'other' && !specific) before = null
    const nodeIndex = line.node === null ? null : (index.get(line.node) ?? null)
    const place = { line, graph, index, nodeIndex }
    const about = aboutOf(place)
    const miss = at?.pass.nearMisses.find((m) => m.entry === at.entry && m.anchors.includes(line.node!))
    const { means, misleads } = wordsOf(place, about, lines[i + 1])
    const missing =
      line.node !== null && nodeIndex === null
        ? `The graph here has no node ${line.node}: the log is of another graph, or of a later pass.`
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

interface Place {
  line: DebugLine
  graph: DebugGraph
  index: ReadonlyMap<string, number>
  nodeIndex: number | null
}

const targetOf = (n: DebugGraph['nodes'][number]): string => n.target.replace(/^torch\.ops\.|^_(?=operator\.)/, '')

/** The nodes a line is really about: those it names, or for extra users, those that have them. */
function aboutOf({ line, graph, index, nodeIndex }: Place): number[] {
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
/** Functions print by their last name: `auto_functionalized`. */
const sameTarget = (target: string, printed: string): boolean => target === printed || target.endsWith(`.${printed}`)

/** The nodes above a node, nearest first, that hold; itself among them. Looks at some hundred at most. */
function near(graph: DebugGraph, from: number, holds: (n: DebugGraph['nodes'][number]) => boolean): number[] {
  const seen = new Set([from])
  for (const i of seen) {
    if (seen.size > 300) break
    for (const input of graph.nodes[i]!.inputs) seen.add(input)
  }
  return [...seen].filter((i) => holds(graph.nodes[i]!)).slice(0, 4)
}

interface Words {
  means: string
  misleads: string | null
}

function wordsOf(place: Place, about: readonly number[], next: DebugLine | undefined): Words {
  const { line, graph } = place
  const { node } = line
  switch (line.kind) {
    case 'other':
      return { means: 'Not about the pattern matcher.', misleads: null }
    case 'trace-failed':
      return {
        means: `The search function cannot be traced with the sizes the graph has: ${line.reason}`,
        misleads: 'It names the function and not the node: the first stage matched just before.',
      }
    case 'initial-matched': {
      const goesOn = next?.kind.startsWith('specific') === true && next.node === node
      return {
        means: `At ${node} the first stage matches. There, numbers, lists, dtypes and devices match anything.`,
        misleads: goesOn
          ? 'This is no replacement yet: the next line says what the second stage found.'
          : 'This is no replacement. No line of a second stage follows: the pattern could not be traced again with the graph’s inputs, or its handler needs none.',
      }
    }
    case 'specific-matched':
      return {
        means: `At ${node} both stages match.`,
        misleads: 'Still no proof of a replacement: a false extra_check prints nothing.',
      }
    default:
      return failure(place, about, graph)
  }
}

function failure({ line }: Place, about: readonly number[], graph: DebugGraph): Words {
  const { node, reason, partText, patternText } = line
  const stage = line.kind === 'specific-failed' ? 'second stage, where every constant counts' : 'first stage'
  const subject = about[0] === undefined ? null : graph.nodes[about[0]]!
  const part = headOf(partText ?? patternText ?? '')
  const at = `Tried at ${node}, the pattern fails in the ${stage}`
  switch (line.reasonKind) {
    case 'function_mismatch': {
      const name = subject?.name ?? line.reasonNodes[0] ?? node
      if (subject && part && sameTarget(targetOf(subject), part.target)) {
        const counts =
          subject.args.length === part.args ? '' : ` (${subject.args.length} in the graph, ${part.args} in the pattern)`
        return {
          means: `${at}: ${name} is ${part.target} on both sides, and the number of arguments differs${counts}.`,
          misleads: 'function_mismatch sounds like another operator; a wrong number of arguments reads the same.',
        }
      }
      return {
        means: `${at}: ${name} is ${subject ? targetOf(subject) : 'another operator'}, and the pattern has ${part?.target ?? 'another operator'} there.`,
        misleads: 'It stops at the first difference; there may be more behind it.',
      }
    }
    case 'multiple_users': {
      const users = subject?.users.map((u) => graph.nodes[u]!.name) ?? []
      const expected = part?.users ?? '1'
      return {
        means: subject
          ? `${at}: ${subject.name} has ${users.length} users in the graph (${listed(users)}), and the pattern has ${expected}.`
          : `${at}: a value of ${part?.target ?? 'the pattern'} has another number of users than the pattern’s.`,
        misleads: 'PyTorch prints the part of the pattern here, and neither the node nor who uses it.',
      }
    }
    case 'constant_args': {
      const values = /constant_args: \S+ (.*)!=(.*)$/s.exec(reason ?? '')
      return {
        means: values
          ? `${at}: ${subject?.name ?? 'a node'} has ${values[1]} in the graph where the pattern has ${values[2]}.`
          : `${at}: a constant differs.`,
        misleads: 'The graph’s value stands first and the pattern’s second; the argument is not named.',
      }
    }
    case 'args_structure':
      return {
        means: `${at}: the arguments have another form, such as other keywords, another order of them, or a list of another length.`,
        misleads: 'The two trees are of the graph’s call, then of the pattern’s; the node is not named.',
      }
    case 'kwarg mismatch':
    case 'kwarg_mismatch':
      return {
        means: `${at}: one argument of the pattern (${/kwarg[_ ]mismatch: (\w+)/.exec(reason ?? '')?.[1] ?? 'unnamed'}) stands for two values in the graph.`,
        misleads: 'It is an argument of the search function, not a keyword of a call.',
      }
    case 'exclusive arg':
      return { means: `${at}: two exclusive arguments have the same value.`, misleads: null }
    case 'no anchor':
    case 'no_match':
      return {
        means: `${at}: a further output of the pattern is not found near what matched so far.`,
        misleads: 'It names neither the output nor the nodes looked at.',
      }
    case 'non_list':
    case 'list':
      return { means: `${at}: a list differs (${reason}).`, misleads: null }
    case 'repeated pattern':
      return { means: `${at}: one value of the pattern would have to be two nodes of the graph.`, misleads: null }
    default:
      return {
        means: `${at}${reason ? `: ${reason}` : line.truncated ? '; the line is cut off' : ''}.`,
        misleads: line.truncated ? 'The paste ends within this line.' : null,
      }
  }
}
