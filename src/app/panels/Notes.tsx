import { Fragment } from 'react'

/** A plain sentence; names between backticks are set as code. */
export function Sentence({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, i) => (i % 2 ? <code key={i}>{part}</code> : <Fragment key={i}>{part}</Fragment>))}</>
  )
}
