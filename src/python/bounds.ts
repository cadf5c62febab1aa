/** Bounds of what crosses between Python and the engine, and so from user code to the page. */

/** Characters of one message, in either direction. */
export const MAX_MESSAGE = 16_000_000
/** Characters of one string that user code names or says: a name, a title, a source line. Not of data that returns to Python. */
export const MAX_STRING = 100_000
/** Messages below this size hold no string beyond MAX_STRING, so they are not searched. */
const UNSEARCHED = MAX_STRING

/** The text, or its beginning and what was cut. */
export const cutText = (text: string, limit: number): string =>
  text.length <= limit
    ? text
    : `${text.slice(0, limit)}… (${(text.length - limit).toLocaleString('en')} more characters)`

/**
 * Parses an answer of Python, whole: it may be data that goes back to Python, or a value of the user's code.
 * @throws Error if the message is beyond MAX_MESSAGE
 */
export function parseAnswer(text: string): unknown {
  refuseLong(text)
  return JSON.parse(text)
}

/** Parsed JSON that a person reads (messages, names, places), with longer strings cut. */
export function withStringsCut<T>(value: T): T {
  if (typeof value === 'string') return cutText(value, MAX_STRING) as T
  if (Array.isArray(value)) return value.map(withStringsCut) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withStringsCut(field)])) as T
}

/**
 * Parses a call of Python, in which nothing may be cut.
 * @throws Error if the message or one of its strings is beyond its limit
 */
export function parseCall(text: string): unknown {
  refuseLong(text)
  if (text.length <= UNSEARCHED) return JSON.parse(text)
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value === 'string' && value.length > MAX_STRING)
      throw new Error(`a string of ${value.length.toLocaleString('en')} characters exceeds the limit of 100,000`)
    return value
  })
}

function refuseLong({ length }: string): void {
  if (length > MAX_MESSAGE)
    throw new Error(`a message of ${length.toLocaleString('en')} characters exceeds the limit of 16,000,000`)
}
