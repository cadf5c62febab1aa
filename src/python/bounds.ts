/** Limits for data that crosses between Python and the engine, and so from user code to the page. */

/** Maximum number of characters of a message, in either direction. */
export const MAX_MESSAGE = 16_000_000
/**
 * Maximum number of characters of a string that user code names or prints: a name, a title, a source line. Data that returns to
 * Python is not limited by it.
 */
export const MAX_STRING = 100_000
/** Messages below this size cannot contain a string beyond MAX_STRING, so they are not searched. */
const UNSEARCHED = MAX_STRING

/** The text, or its beginning and the number of cut characters. */
export const cutText = (text: string, limit: number): string =>
  text.length <= limit
    ? text
    : `${text.slice(0, limit)}… (${(text.length - limit).toLocaleString('en')} more characters)`

/**
 * Parses Python's answer and cuts nothing: the answer may be data that returns to Python, or a value from user code.
 * @throws Error if the message is beyond MAX_MESSAGE
 */
export function parseAnswer(text: string): unknown {
  refuseLong(text)
  return JSON.parse(text)
}

/** Parsed JSON for people to read (messages, names, places), with longer strings cut. */
export function withStringsCut<T>(value: T): T {
  if (typeof value === 'string') return cutText(value, MAX_STRING) as T
  if (Array.isArray(value)) return value.map(withStringsCut) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withStringsCut(field)])) as T
}

/** Parses Python's call, in which nothing may be cut. @throws Error if the message or one of its strings is beyond its limit */
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
