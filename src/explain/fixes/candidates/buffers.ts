/** Makes a buffer that the pattern allocates an argument of pattern and replacement. */
import { type TensorMeta, packetOf } from '../../../fx'
import { isFactory } from '../../reasons/operators'
import type { Change } from '../change'
import type { Expression, Fn } from '../pattern_site'
import {
  functionAround,
  listField,
  nodeField,
  paramNames,
  paramsOf,
  textField,
  within,
  type SyntaxNode,
} from '../syntax'
import { emptyCode, exampleInputs } from './example_inputs'
import { freshName } from './inlined'
import { inserted, replaced, type MakeCandidates } from './types'

/** The graph may allocate the buffer in any way, with any strides: the pattern takes it as it comes. */
export const bufferArgument: MakeCandidates = ({ site, pattern, graph }) => {
  const { search, replace } = site
  const examples = exampleInputs(site)
  const last = examples?.items.at(-1)
  const val = pattern?.meta.val
  if (!pattern || !graph || !search || !replace || !examples || !last) return []
  if (val?.kind !== 'tensor' || !isFactory(pattern) || !isFactory(graph)) return []
  const e = site.expressions(pattern).find((x) => functionAround(x.node) === search.node)
  if (!e) return []
  const assigned = site.nameOf(e)
  const line = assigned === null || !isFirstStore(search, assigned, e) ? null : lineOf(e)
  const name = line ? assigned! : freshName(search, 'buffer')
  const changes = [line ?? replaced(e, name), ...parameter(search, name)]
  if (replace.node !== search.node) {
    const same = assignmentOf(replace, name, e.file.source(e.node))
    const used =
      paramNames(replace.node).includes(name) || [...within(replace.node)].some((n) => textField(n, 'id') === name)
    changes.push(...(same ? [same] : []), ...parameter(replace, same || !used ? name : freshName(replace, name)))
  }
  const { entries } = site.pass.toExplain
  const variants = entries.filter((other) => other.registration.title === site.entry.registration.title).length
  const note = variants > 1 ? '; its example input has the sizes of this variant' : ''
  return [
    {
      title: `Take the buffer ${name} as an argument, as ${graph.target} of the graph makes it${note}`,
      changes: [...changes, inserted(examples.at.file, last.to, `, ${exampleOf(val)}`)],
    },
  ]
}

/** The graph allocates the buffer with its dimensions in another order and permutes it: the same, with the pattern's sizes. */
export const permutedBuffer: MakeCandidates = ({ site, pattern, graph }) => {
  const permute = [graph, ...(graph?.inputs() ?? [])].find((n) => n && packetOf(n.target) === 'aten.permute')
  const buffer = [pattern, ...(pattern?.inputs() ?? [])].find((n) => n && isFactory(n))
  const source = permute?.inputs()[0]
  const dims = permute?.args[1]
  if (!buffer || !source || !isFactory(source) || !Array.isArray(dims)) return []
  const order = dims.map(Number)
  return site.expressions(buffer).flatMap((e) => {
    const sizes = e.node.type === 'Call' ? listField(e.node, 'args')[0] : undefined
    const items = sizes && ['Tuple', 'List'].includes(sizes.type) ? listField(sizes, 'elts') : []
    if (!sizes || items.length !== order.length) return []
    const code = order.map((_, d) => e.file.source(items[order.indexOf(d)]!)).join(', ')
    return [
      {
        title: `Allocate the buffer as the graph does, with its dimensions in the order [${order.join(', ')}]`,
        changes: [
          { file: e.file.name, from: sizes.from, to: sizes.to, text: `(${code})` },
          inserted(e.file, e.node.to, `.permute(${order.join(', ')})`),
        ],
      },
    ]
  })
}

const exampleOf = ({ shape, dtype, device }: TensorMeta): string =>
  emptyCode(shape, [`dtype=torch.${dtype}`, ...(!device || device.type === 'cpu' ? [] : [`device='${device.type}'`])])

const parameter = (fn: Fn, name: string): Change[] => {
  const after = paramsOf(fn.node).at(-1)
  return after ? [inserted(fn.file, after.to, `, ${name}`)] : []
}

/** True if the variable is no parameter and has no value before the expression's. */
function isFirstStore(fn: Fn, name: string, e: Expression): boolean {
  const stores = [...within(fn.node)].filter(
    (n) => n.type === 'Name' && textField(n, 'id') === name && textField(n, 'ctx') === 'Store',
  )
  return !paramNames(fn.node).includes(name) && stores.every((n) => n.from >= e.node.parent!.from)
}

/** Removes the line of an expression's assignment; null if the line has more. */
function lineOf({ file, node }: { file: Fn['file']; node: SyntaxNode }): Change | null {
  const { parent } = node
  if (parent?.type !== 'Assign') return null
  const from = file.text.lastIndexOf('\n', parent.from) + 1
  const end = file.text.indexOf('\n', parent.to)
  return end >= 0 && file.text.slice(from, end).trim() === file.source(parent)
    ? { file: file.name, from, to: end + 1, text: '' }
    : null
}

/** Removes the replacement's own allocation of the same buffer. */
function assignmentOf(fn: Fn, name: string, code: string): Change | null {
  for (const n of within(fn.node)) {
    const value = n.type === 'Assign' ? nodeField(n, 'value') : null
    const target = value && fn.file.source(n).startsWith(`${name} = `)
    if (value && target && fn.file.source(value) === code) return lineOf({ file: fn.file, node: value })
  }
  return null
}
