/** The text of a lesson by step. */
import type { Block, Span } from '../../markdown/markdown'

/** The text of one step. */
export interface StepText {
  title: Span[]
  blocks: Block[]
}

/** Splits a lesson at its headings of level 2; the title and what precedes the first section are left out. */
export function stepTexts(blocks: readonly Block[]): StepText[] {
  const steps: StepText[] = []
  for (const block of blocks) {
    if (block.kind === 'heading' && block.level === 2) steps.push({ title: block.text, blocks: [] })
    else steps.at(-1)?.blocks.push(block)
  }
  return steps
}

export const plainTitle = (spans: readonly Span[]): string => spans.map((s) => s.text).join('')
