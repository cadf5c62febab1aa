/** Allocates a buffer with the graph's operator, with sizes, dtype and device in the user's notation. */
import { Node, operatorOf, packetOf, type Arg } from '../../../fx'
import { BINARY_SIGN } from '../../../fx/operators'
import type { Expression } from '../pattern_site'
import { isAtom, listField, nodeField, textField, type SyntaxNode } from '../syntax'
import { brief, replaced, type MakeCandidates } from '../candidates/types'

/** Factories that take sizes and differ only in the strides. */
const PLAIN = 'aten.empty.memory_format'
const STRIDED = 'aten.empty_strided.default'

export const otherFactory: MakeCandidates = ({ site, pattern, graph }) => {
  if (!pattern || !graph) return []
  const [mine, theirs] = [operatorOf(pattern), operatorOf(graph)]
  const e = site.expression(pattern)
  const func = e?.node.type === 'Call' ? nodeField(e.node, 'func') : null
  if (!e || func?.type !== 'Attribute') return []
  const args = listField(e.node, 'args')
  const named = listField(e.node, 'keywords').map((k) => e.file.source(k))
  const owner = e.file.source(nodeField(func, 'value')!)
  const call = (name: string, given: readonly string[]): string =>
    `${owner}.${name}(${[...given, ...named].join(', ')})`
  const text =
    mine === PLAIN && theirs === STRIDED && textField(func, 'attr') === 'empty'
      ? stridedCall(e, args, graph, call)
      : mine === STRIDED && theirs === PLAIN && textField(func, 'attr') === 'empty_strided' && args.length === 2
        ? call('empty', [e.file.source(args[0]!)])
        : null
  if (text === null) return []
  return [
    {
      title: `Allocate as the graph does, with ${brief(text)} ${site.at(e)}`,
      changes: [replaced(e, text)],
    },
  ]
}

function stridedCall(
  e: Expression,
  args: readonly SyntaxNode[],
  graph: Node,
  call: (name: string, given: readonly string[]) => string,
): string | null {
  const [size, stride] = graph.args
  if (!Array.isArray(size) || !Array.isArray(stride)) return null
  const items = size as readonly Arg[]
  const [only] = args
  // `torch.empty(4, 8)` or `torch.empty(shape)`
  const written = args.length === 1 && only && ['Tuple', 'List'].includes(only.type) ? listField(only, 'elts') : args
  const each = written.length === items.length && items.length > 1
  if (!each && (args.length !== 1 || !only || !isAtom(only))) return null
  const codeOf = (i: number): string => (each ? e.file.source(written[i]!) : `${e.file.source(only!)}[${i}]`)
  const sizes = each ? `(${written.map((n) => e.file.source(n)).join(', ')})` : e.file.source(only!)
  const strides = (stride as readonly Arg[]).map(
    (s, i) => contiguous(s, i, items, codeOf) ?? sizeCode(s, items, codeOf),
  )
  return strides.includes(null)
    ? null
    : call('empty_strided', [sizes, `(${strides.join(', ')}${strides.length === 1 ? ',' : ''})`])
}

/** The code of a stride that equals the size of the next dimension; null for another stride. */
function contiguous(stride: Arg, i: number, sizes: readonly Arg[], codeOf: (i: number) => string): string | null {
  const next = sizes[i + 1]
  return next !== undefined && i === sizes.length - 2 && next === stride && stride !== 1n ? codeOf(i + 1) : null
}

const OF_SIZES: ReadonlySet<string> = new Set(['+', '-', '*', '//', '%'])

/** A size of the graph as code over the buffer's sizes, operation by operation as in the graph. */
function sizeCode(value: Arg, sizes: readonly Arg[], codeOf: (i: number) => string): string | null {
  if (typeof value === 'bigint') return value.toString()
  if (!(value instanceof Node)) return null
  const at = sizes.indexOf(value)
  if (at >= 0) return codeOf(at)
  const sign = BINARY_SIGN.get(packetOf(value.target))
  const [left, right] = value.args.map((a) => sizeCode(a, sizes, codeOf))
  if (sign === undefined || !OF_SIZES.has(sign) || !left || !right || value.args.length !== 2) return null
  const part = (text: string): string => (/^[\w.[\]]+$/.test(text) ? text : `(${text})`)
  return `${part(left)} ${sign} ${part(right)}`
}
