/** The depth of JSON, judged by its text, because readers of the value recurse into it. */

/** Maximum nesting of JSON from strangers. */
export const DEEPEST = 400

/** True if lists and objects nest deeper than DEEPEST. */
export function nestsTooDeep(json: string): boolean {
  let depth = 0
  for (let i = 0; i < json.length; i++) {
    const c = json[i]!
    if (c === '"') i = endOfText(json, i)
    else if (c === '[' || c === '{') {
      if (++depth > DEEPEST) return true
    } else if (c === ']' || c === '}') depth--
  }
  return false
}

function endOfText(json: string, begin: number): number {
  let i = begin + 1
  while (i < json.length && json[i] !== '"') i += json[i] === '\\' ? 2 : 1
  return i
}
