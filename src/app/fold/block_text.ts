/** Texts of blocks and of instances. */
import { count } from '../../base/english'
import type { Block, FoldGroup, FoldInstance } from './types'

/** `layer` → `Layer`; names of files, modules and patterns stay unchanged. */
export const capitalized = ({ label, named }: FoldGroup): string =>
  named ? label : label[0]!.toUpperCase() + label.slice(1)

const timesOf = ({ first, last }: Block): number => last - first + 1

/** `Layer × 17`, `MLP`. */
export function blockTitle(block: Block): string {
  const times = timesOf(block)
  if (times === 1 && block.titles) return block.titles[0]
  return `${capitalized(block.group)}${times > 1 ? ` × ${times}` : ''}`
}

/** `layers 0 – 16 · 48 nodes each`; `layer 17 · 48 nodes`. */
export function blockDetail(block: Block): string {
  const { group, nodes, first } = block
  const times = timesOf(block)
  const size = count(Math.round(nodes.length / times), 'node')
  if (block.titles) return times > 1 ? `${block.titles.join(' – ')} · ${size} each` : size
  const number = numberIn(group, first - group.first)
  if (times > 1) return `${group.label}s ${number} – ${number + times - 1} · ${size} each`
  return isNumbered(group) ? `${group.label} ${number} · ${size}` : size
}

/** True if instances are numbered: layers are, a layer's only attention is not. */
const isNumbered = (group: FoldGroup): boolean => !group.named && (group.parent === null || group.perParent > 1)

/** Number of an instance inside its parent. */
const numberIn = ({ parent, perParent }: FoldGroup, at: number): number => (parent === null ? at : at % perParent)

/** `layer 17`; `attention` if there is one in each layer. */
export function instanceTitle({ group, at, title }: FoldInstance): string {
  if (title !== undefined) return title
  return isNumbered(group) ? `${group.label} ${numberIn(group, at)}` : group.label
}

/** `layer 17 has no residual add`, `layers 0, 3 and 5 differ`; null if no instance in the block differs. */
export function blockDifference({ group, first, last }: Block): string | null {
  const [from, to] = [first - group.first, last - group.first]
  const own = group.differs.filter(({ instance }) => instance >= from && instance <= to)
  const numbers = [...new Set(own.map((d) => d.instance))]
  if (numbers.length === 0) return null
  if (numbers.length === 1)
    return `${isNumbered(group) ? `${group.label} ${numberIn(group, numbers[0]!)} ` : ''}${own[0]!.what}`
  if (!isNumbered(group)) return `${numbers.length} differ`
  const shown = numbers
    .slice(0, MAX_NUMBERS)
    .map((n) => numberIn(group, n))
    .join(', ')
  return `${group.label}s ${shown}${numbers.length > MAX_NUMBERS ? ', …' : ''} differ`
}

const MAX_NUMBERS = 4
const MAX_LISTED = 5

/** The text of a block's tooltip. */
export function blockTip(block: Block): { title: string; lines: string[] } {
  const { group, first, last, inputsLeftOut } = block
  const [from, to] = [first - group.first, last - group.first]
  const differs = group.differs.filter(({ instance }) => instance >= from && instance <= to)
  const lines = [blockDetail(block)]
  if (inputsLeftOut > 0) lines.push(`${count(inputsLeftOut, 'input')} of the graph, not drawn`)
  for (const d of differs.slice(0, MAX_LISTED))
    lines.push(`${isNumbered(group) ? `${group.label} ${numberIn(group, d.instance)} ` : ''}${d.what}`)
  if (differs.length > MAX_LISTED) lines.push(`${count(differs.length - MAX_LISTED, 'more difference')}`)
  const one = block.titles ? block.titles[0] : isNumbered(group) ? `${group.label} ${numberIn(group, from)}` : 'it'
  lines.push(last > first ? `Click to open ${one}, Shift+click to open all ${last - first + 1}` : 'Click to open')
  return { title: blockTitle(block), lines }
}
