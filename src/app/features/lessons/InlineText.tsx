/** A short text with `code` and links, used in hints and glossary entries. */
import { Fragment } from 'react'

export function InlineText({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : <Fragment key={i}>{part}</Fragment>))
}
