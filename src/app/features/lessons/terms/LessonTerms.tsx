/** Marks the first occurrence of each term in a step's text as a tab stop; terms that the author links stay links. */
import { useMemo, type ReactNode } from 'react'
import { MarkTerms, type MarkText } from '../../../ui/terms'
import type { Block, Span } from '../../../markdown/markdown'
import { isTerm, type TermId } from '../../../../engine/lessons/glossary'
import { Term } from '../Term'
import { findTerms, type TermPart } from './find_terms'

const spansOf = (block: Block): readonly Span[] =>
  block.kind === 'code'
    ? []
    : block.kind === 'list'
      ? block.items.flat()
      : block.kind === 'table'
        ? [...block.head, ...block.rows.flat()].flat()
        : block.text

/** The parts of a step's texts; a term is marked only in its first part. */
export function termsOfStep(blocks: readonly Block[]): Map<string, TermPart[]> {
  const spans = blocks.filter((b) => b.kind !== 'heading').flatMap(spansOf)
  const seen = new Set<TermId>()
  for (const s of spans) {
    const id = s.kind === 'link' ? /^term:(.+)$/.exec(s.to)?.[1] : undefined
    if (id !== undefined && isTerm(id)) seen.add(id)
  }
  const parts = new Map<string, TermPart[]>()
  for (const s of spans) if (s.kind === 'text' && !parts.has(s.text)) parts.set(s.text, findTerms(s.text, seen))
  return parts
}

export function LessonTerms({ blocks, children }: { blocks: readonly Block[]; children: ReactNode }) {
  const mark = useMemo((): MarkText => {
    const parts = termsOfStep(blocks)
    return (text) =>
      parts.get(text)?.map((part, i) =>
        typeof part === 'string' ? (
          part
        ) : (
          <Term key={i} id={part.term}>
            {part.text}
          </Term>
        ),
      ) ?? text
  }, [blocks])
  return <MarkTerms value={mark}>{children}</MarkTerms>
}
