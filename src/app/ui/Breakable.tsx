import { Fragment } from 'react'

/** A long name that may be broken after a dot or an underscore, and nowhere else before that. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=[._/])/).map((part, i) => (
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
