/** Marks the glossary terms in a text; the page provides it (features/lessons/terms), a test has none. */
import { createContext, useContext, type ReactNode } from 'react'

export type MarkText = (text: string) => ReactNode

export const MarkTerms = createContext<MarkText | null>(null)

/** A text with its terms marked. */
export function useMarked(): MarkText {
  return useContext(MarkTerms) ?? plain
}

const plain: MarkText = (text) => text
