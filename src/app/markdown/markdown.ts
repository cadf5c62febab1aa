/** A page of docs/systems as plain data; the build compiles it (scripts/vite/markdown.mjs). */
export type Span = { kind: 'text' | 'code' | 'strong'; text: string } | { kind: 'link'; text: string; to: string }

export type Block =
  | { kind: 'heading'; level: number; text: Span[] }
  | { kind: 'paragraph'; text: Span[] }
  | { kind: 'list'; ordered: boolean; items: Span[][] }
  | { kind: 'table'; head: Span[][]; rows: Span[][][]; right: boolean[] }
  | { kind: 'code'; text: string }

/** @returns one paragraph of plain text */
export const paragraph = (text: string): Block => ({ kind: 'paragraph', text: [{ kind: 'text', text }] })
