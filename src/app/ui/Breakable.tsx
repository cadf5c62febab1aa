import { Fragment } from 'react'

/** A long name that breaks preferably after a dot or an underscore. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=[._/])/).map((part, i) => (
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
