/** Changes after which a condition of code on the graph asks for a target that the graph calls. */
import { dialectText, isOverload, packetOf, printNode, type Graph } from '../../../fx'
import { dialectOf, inDialect } from '../../../fx/dialect'
import { targetCode } from '../../../fx/code/targets'
import type { Change, SourceFile } from '../change'
import { syntaxOf } from '../python_fix'
import { nodeField, textField, type SyntaxFile, type SyntaxNode } from '../syntax'
import type { GraphEdit, TrialRunner } from '../trials'
import type { Asked, Instead } from './types'

export interface CodeCandidate {
  title: string
  changes: Change[]
  /** For code written for a dialect: the graph in the dialect, and its lines that the code asks for. */
  graph?: { edit: GraphEdit; diff: string }
}

/**
 * The places that name a target: those on the condition's line, or else in its file, or else in all files. For a target of a
 * dialect, the graph changes instead.
 */
export function candidatesFor(asked: Asked, trials: TrialRunner, files: readonly SourceFile[]): CodeCandidate[] {
  const { instead = [], source } = asked
  const dialect = instead.map(({ wanted }) => dialectOf(wanted)).find((d) => d !== null)
  if (dialect) return [inDialectOf(dialect, instead, trials.graph)]
  const own = syntaxOf(trials, files, source.file)
  const others = files.flatMap((f) => (f.name === source.file ? [] : (syntaxOf(trials, files, f.name) ?? [])))
  const wheres = [
    () => (own ? changesIn([own], instead, (node) => node.line === source.line) : []),
    () => (own ? changesIn([own], instead) : []),
    () => changesIn([...(own ? [own] : []), ...others], instead),
  ]
  const title = titleOf(instead)
  const found = wheres.map((changes) => ({ title, changes: changes() }))
  return found.filter(
    ({ changes }, i) => changes.length > 0 && found.findIndex((f) => f.changes.length === changes.length) === i,
  )
}

function titleOf(instead: readonly Instead[]): string {
  const [{ wanted, calls }, ...more] = instead as [Instead, ...Instead[]]
  const rest = more.length === 0 ? '' : ` and ${more.length} more`
  return `Ask for ${dialectText(calls)} in the place of ${dialectText(wanted)}${rest}`
}

function changesIn(
  files: readonly SyntaxFile[],
  instead: readonly Instead[],
  at: (node: SyntaxNode) => boolean = () => true,
): Change[] {
  return files.flatMap((file) =>
    file.nodes
      .filter((n) => isWhole(n) && at(n))
      .flatMap((node) => {
        const path = pathOf(node)
        const pair = path && instead.find(({ wanted }) => names(path, wanted))
        const text = pair ? codeFor(path, pair, file) : null
        return text === null ? [] : [{ file: file.name, from: node.from, to: node.to, text }]
      }),
  )
}

/** A name or a chain of attributes that is neither part of a longer chain nor assigned to. */
const isWhole = (node: SyntaxNode): boolean =>
  (node.type === 'Attribute' || node.type === 'Name') &&
  node.parent?.type !== 'Attribute' &&
  textField(node, 'ctx') !== 'Store'

/** `['torch', 'ops', 'aten', 'relu']`; null for an expression that is not a path. */
function pathOf(node: SyntaxNode): string[] | null {
  if (node.type === 'Name') return [textField(node, 'id') ?? '']
  const value = nodeField(node, 'value')
  const of = value && (value.type === 'Attribute' || value.type === 'Name') ? pathOf(value) : null
  const name = textField(node, 'attr')
  return of && name !== null ? [...of, name] : null
}

/**
 * True if the end of a path may be the target, since its beginning may be an alias: `aten.relu` and `ops.relu`, but not
 * `torch.relu`. A trial decides.
 */
function names(path: readonly string[], wanted: string): boolean {
  const parts = wanted.split('.').slice(-path.length)
  const alias = path.length === (isOverload(wanted) ? 3 : 2) && path[0] !== 'torch' ? 1 : 0
  const end = parts.slice(isOverload(wanted) ? -3 : -2).slice(alias)
  return path.length > 1 && end.every((part, i) => path[path.length - end.length + i] === part)
}

/** The path of the graph's target, through the same alias if it is an operator of the same packet. */
function codeFor(path: readonly string[], { wanted, calls }: Instead, { text }: SyntaxFile): string | null {
  const code = targetCode(calls)
  if (code === null) return null
  const packet = isOverload(wanted) ? packetOf(wanted) : wanted
  if (isOverload(calls) && packetOf(calls) === packet && !code.includes('('))
    return [...(isOverload(wanted) ? path.slice(0, -1) : path), calls.slice(packet.length + 1)].join('.')
  return new RegExp(String.raw`^\s*import ${code.split('.')[0]}\b`, 'm').test(text) ? code : null
}

/** Replaces the target of each overload call by the dialect's operator, as to_edge does. */
function inDialectOf(dialect: string, instead: readonly Instead[], graph: Graph): CodeCandidate {
  const edit: GraphEdit = (copy) => {
    for (const node of copy.nodes())
      if (node.op === 'call_function' && isOverload(node.target)) node.target = inDialect(node.target, dialect)
  }
  const asked = [...graph.nodes()].filter((n) => instead.some(({ calls }) => n.target === calls)).slice(0, MOST_SHOWN)
  const lines = asked.flatMap((n) => {
    const line = printNode(n)
    return [`-${line}\n`, `+${line.replace(`torch.ops.${n.target}`, dialectText(inDialect(n.target, dialect)))}\n`]
  })
  const title = `Run the pass on a graph of the ${dialect} dialect`
  return { title, changes: [], graph: { edit, diff: lines.join('') } }
}

/** Maximum number of graph nodes in a diff. */
const MOST_SHOWN = 4
