/** The call whose arguments surround the caret. */
export interface CallAt {
  /** Dotted name of the function. */
  path: string
  /** Number of complete arguments before the caret. */
  argument: number
  /** The keyword that the caret's argument begins with; null for a positional one. */
  keyword: string | null
}

/** Characters before the caret that are read. */
export const CALL_REACH = 2000

/** @param text the text before the caret, or its end */
export function callAt(text: string): CallAt | null {
  const open: { at: number; commas: number; argumentAt: number }[] = []
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (c === '#') i = endOf(text, '\n', i)
    else if (c === '"' || c === "'") i = endOf(text, c, i + 1)
    else if (c === '(' || c === '[' || c === '{') open.push({ at: i, commas: 0, argumentAt: i + 1 })
    else if (c === ')' || c === ']' || c === '}') open.pop()
    else if (c === ',' && open.length > 0) {
      const last = open.at(-1)!
      last.commas++
      last.argumentAt = i + 1
    }
  }
  for (const { at, commas, argumentAt } of open.reverse()) {
    const path = text[at] === '(' ? /[A-Za-z_][\w.]*$/.exec(text.slice(0, at))?.[0] : undefined
    if (path === undefined) continue
    if (/\b(?:def|class)\s+\w+$/.test(text.slice(0, at))) return null
    return { path, argument: commas, keyword: /^\s*(\w+)\s*=(?!=)/.exec(text.slice(argumentAt))?.[1] ?? null }
  }
  return null
}

function endOf(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from)
  return at < 0 ? text.length : at
}
