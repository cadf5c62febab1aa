/** Texts of blocks and of instances. */
import { count } from '../../base/english'
import type { Block, FoldGroup, FoldInstance } from './types'

/** `layer` → `Layer`; names of files and modules stay. */
const capitalized = ({ label, runs }: FoldGroup): string => (runs ? label[0]!.toUpperCase() + label.slice(1) : label)

const timesOf = ({ first, last }: Block): number => last - first + 1

/** `Layer × 17`, `MLP`. */
export function blockTitle(block: Block): string {
  const times = timesOf(block)
  return `${capitalized(block.group)}${times > 1 ? ` × ${times}` : ''}`
}

/** `layers 0 – 16 · 48 nodes each`; `layer 17 · 48 nodes`. */
export function blockDetail(block: Block): string {
  const { group, nodes, first } = block
  const times = timesOf(block)
  const size = count(Math.round(nodes.length / times), 'node')
  const number = numberIn(group, first - group.first)
  if (times > 1) return `${group.label}s ${number} – ${number + times - 1} · ${size} each`
  return isNumbered(group) ? `${group.label} ${number} · ${size}` : size
}

/** The instances have numbers of their own: layers, but not the one attention in each layer. */
const isNumbered = (group: FoldGroup): boolean => group.runs && (group.parent === null || group.perParent > 1)

/** Number of an instance inside its parent. */
const numberIn = ({ parent, perParent }: FoldGroup, at: number): number => (parent === null ? at : at % perParent)

/** `layer 17`; `attention` if there is one in each layer. */
export function instanceTitle({ group, at }: FoldInstance): string {
  return isNumbered(group) ? `${group.label} ${numberIn(group, at)}` : group.label
}
