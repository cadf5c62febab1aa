/**
 * Regular expressions of Find, matched by RE2 in linear time: a link can contain a query, and the browser's own engine backtracks,
 * so that `(a+)+b` would block the page for hours. RE2 is fetched with the first query that needs it.
 */
import { create } from 'zustand'
import { messageOf } from '../../../base/error_message'
import { Renewable } from '../../../base/memoize'
import { err, ok, type Result } from '../../../base/result'

/** Compiles a case-insensitive expression. The error is part of a sentence. */
export type Compile = (source: string) => Result<(text: string) => boolean, string>

/** Until RE2 has arrived, and if it could not be loaded, `compile` returns an error. */
export const usePatterns = create<{ compile: Compile }>(() => ({ compile: () => err('waits: RE2 is loading') }))

/** After a failure, the next query tries again. */
const re2 = new Renewable(() => import('re2js'))

/** Fetches RE2, once. */
export function fetchPatterns(): Promise<void> {
  return re2.get().then(
    ({ RE2JS }) =>
      usePatterns.setState({
        compile: (source) => {
          try {
            const pattern = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE)
            return ok((text) => pattern.test(text))
          } catch (e) {
            return err(`is not an expression of RE2: ${reasonOf(messageOf(e))}`)
          }
        },
      }),
    () => usePatterns.setState({ compile: () => err('needs RE2, which could not be loaded') }),
  )
}

/** RE2 puts the flag of CASE_INSENSITIVE before the source that its message quotes. */
const reasonOf = (message: string): string => message.replace(/^error parsing regexp: /, '').replace('`(?i)', '`')
