/**
 * Fixes that are described but not written as code: their code would make calls of the graph that do more than compute
 * (ops/calls/computes.ts).
 */
import { memoizeByObject } from '../../base/memoize'
import { isKind, type Arg, type Graph, type Node } from '../../fx'
import { beyondComputing, standingIn, type Beyond } from '../../ops/calls/computes'
import { namesNothing } from '../../ops/calls/texts'
import type { SourceFile } from './change'
import type { FiringChange } from './verify'

interface Refused extends Beyond {
  /**
   * How the call appears in code: the operator's name, with its namespace if the name is ambiguous; texts and large numbers if the
   * user's files define the operator.
   */
  marks: readonly string[]
}

/** The change; if the changed files contain more of a refused call than before, without its code and with the reason. */
export function onlyComputing(
  change: FiringChange,
  graph: Graph,
  before: readonly SourceFile[],
  after: readonly SourceFile[],
): FiringChange {
  const texts = [before, after].map((files) => files.map((f) => f.text).join('\n')) as [string, string]
  const found = refusedIn(graph, before).find(({ marks }) =>
    marks.some((mark) => times(texts[1], mark) > times(texts[0], mark)),
  )
  if (!found) return change
  const reason = `${found.operator} ${found.why}: write this call yourself`
  return { ...change, title: `${change.title}${WITHHELD}${reason}`, edits: [], diff: '' }
}

const WITHHELD = '; not written as code, because '

/** Title of a change without code, before the reason: `Add relu, in pattern and replacement`. Also used for repeated changes. */
export function titled(title: string, how: string, carried = ''): string {
  const [change, reason = carried.split(WITHHELD)[1]] = title.split(WITHHELD)
  return `${change}, ${how}${reason === undefined ? '' : WITHHELD + reason}`
}

/** Calls of the graph and its subgraphs, each operator once. */
function refusedIn(graph: Graph, files: readonly SourceFile[]): Refused[] {
  const stands = standingIn(files)
  const none = neverComputing(graph)
  return none.flatMap((node) => {
    const beyond = beyondComputing(node, stands)
    return beyond
      ? [
          {
            ...beyond,
            marks:
              stands(beyond.operator) && valuesOf(node).length > 0
                ? valuesOf(node)
                : [nameOf(beyond.operator), beyond.operator.split('.').slice(0, 2).join('.')],
          },
        ]
      : []
  })
}

/** Most graphs contain none, whatever the files name. */
const neverComputing = memoizeByObject((graph: Graph): Node[] => {
  const calls = [graph, ...graph.subgraphs.values()].flatMap((g) => [...g.nodes()])
  return calls.filter((node) => beyondComputing(node, () => false) !== null)
})

const nameOf = (operator: string): string => operator.split('.')[1] ?? operator

const valuesOf = ({ args, kwargs }: Node): string[] =>
  [...args, ...kwargs.values()].flatMap(function of(arg: Arg): string[] {
    if (typeof arg === 'string') return namesNothing(arg) ? [] : [arg]
    if (typeof arg === 'bigint') return [arg.toString()]
    if (Array.isArray(arg)) return (arg as readonly Arg[]).flatMap(of)
    return isKind(arg, 'tuple')
      ? arg.items.flatMap(of)
      : isKind(arg, 'dict')
        ? [...arg.entries.values()].flatMap(of)
        : isKind(arg, 'op')
          ? [nameOf(arg.name)]
          : []
  })

const times = (text: string, mark: string): number => text.split(mark).length
