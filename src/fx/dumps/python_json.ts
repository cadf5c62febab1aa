/** Parses JSON as Python's json module writes it: NaN, Infinity and -Infinity are allowed. */
import { nestsTooDeep } from '../../base/json_depth'

/** A string, or one of these words outside strings. */
const WORDS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g

/** The value, with these numbers as strings of their names; undefined for a text that is not JSON or nests too deeply. */
export function parsePythonJson(text: string): unknown {
  return parse(text) ?? (/\b(?:NaN|Infinity)\b/.test(text) ? parse(quoted(text)) : undefined)
}

const quoted = (text: string): string => text.replace(WORDS, (found) => (found.startsWith('"') ? found : `"${found}"`))

function parse(text: string): unknown {
  if (nestsTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
