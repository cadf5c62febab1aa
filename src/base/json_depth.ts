/** The depth of JSON, from its text: what reads the value recurses into it. */

/** Levels of JSON of strangers that are read. */
export const DEEPEST = 400

/** Whether lists and objects nest deeper than DEEPEST. */
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
