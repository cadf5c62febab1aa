import { SPACING, type LayoutInput } from './types'

export interface ChipSlot {
  node: number
  kind: 'chip' | 'ref'
  /** From the consumer's axis and vertical middle to the chip's top left corner. */
  dx: number
  dy: number
  w: number
  h: number
}

/** A node with the chips at its left: the unit that occupies space in a row. */
export interface Composite {
  left: number
  right: number
  height: number
  chips: ChipSlot[]
}

/** Stacks the chips of a node at its left side, in argument order, downwards first. */
export function compose(
  input: LayoutInput,
  node: number,
  sources: readonly number[],
  refs: readonly number[],
): Composite {
  const { width, height } = input.nodes[node]!
  const all = [
    ...sources.map((n) => ({ node: n, kind: 'chip' as const, w: input.nodes[n]!.width, h: input.nodes[n]!.height })),
    ...refs.map((n) => ({ node: n, kind: 'ref' as const, w: input.nodes[n]!.chipWidth, h: SPACING.chipHeight })),
  ]
  if (all.length === 0) return { left: width / 2, right: width / 2, height, chips: [] }
  const rows =
    all.length <= SPACING.chipRows * 3 ? Math.min(SPACING.chipRows, all.length) : Math.ceil(Math.sqrt(all.length * 3))
  const chips: ChipSlot[] = []
  let edge = -width / 2 - SPACING.chipLead
  let tallest = height
  for (let first = 0; first < all.length; first += rows) {
    const stack = all.slice(first, first + rows)
    const stackWidth = Math.max(...stack.map((c) => c.w))
    const stackHeight = stack.reduce((sum, c) => sum + c.h + SPACING.chipGap, -SPACING.chipGap)
    tallest = Math.max(tallest, stackHeight)
    let dy = -stackHeight / 2
    for (const c of stack) {
      chips.push({ ...c, dx: edge - c.w, dy })
      dy += c.h + SPACING.chipGap
    }
    edge -= stackWidth + SPACING.chipGap
  }
  return { left: -(edge + SPACING.chipGap), right: width / 2, height: tallest, chips }
}
