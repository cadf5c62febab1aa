/** Compares Python texts that differ only in comments and blank lines: they run alike, at different lines. */

/** A line with code or part of a string, without its comment. */
interface CodeLine {
  /** From 1. */
  line: number
  code: string
}

/**
 * The lines of a text that Python reads; null if these few rules cannot separate strings from code. A wrong separation would give a
 * wrong answer, so doubtful lines are compared with their comments.
 */
function codeLines(text: string): CodeLine[] | null {
  const found: CodeLine[] = []
  /** The quotes of a multi-line string. */
  let open: string | null = null
  let joined = false
  for (const [index, line] of text.split('\n').entries()) {
    const begun = open !== null
    let end = line.length
    let formatted = false
    for (let i = 0; i < line.length;) {
      const c = line[i]!
      if (open !== null) {
        if (line.startsWith(open, i)) {
          i += open.length
          open = null
        } else i += c === '\\' ? 2 : 1
      } else if (c === '#') {
        end = i
        break
      } else if (c !== '"' && c !== "'") i++
      else {
        const fields = /[ft]/i.test(/[a-z]*$/i.exec(line.slice(0, i))![0])
        const triple = c.repeat(3)
        if (line.startsWith(triple, i)) {
          // Its fields may contain strings with these quotes.
          if (fields) return null
          open = triple
          i += 3
        } else {
          const after = endOfString(line, i)
          if (after === null) return null
          formatted ||= fields
          i = after
        }
      }
    }
    const read = formatted ? line : line.slice(0, end)
    const code = open === null ? read.replace(BLANK_END, '') : read
    if (begun || joined || code !== '') found.push({ line: index + 1, code })
    joined = open === null && end === line.length && code.endsWith('\\')
  }
  return open === null ? found : null
}

/** Blank characters in Python. */
const BLANK_END = /[ \t\f\r]+$/

/** The index after the one-line string that begins at `start`; null if it does not end there. */
function endOfString(line: string, start: number): number | null {
  const quote = line[start]!
  for (let i = start + 1; i < line.length; i++)
    if (line[i] === '\\') i++
    else if (line[i] === quote) return i + 1
  return null
}

/** Maps lines of a text to lines of another text with the same code, both from 1. Null for different code. */
export function movedLines(before: string, now: string): ReadonlyMap<number, number> | null {
  const [from, to] = [codeLines(before), codeLines(now)]
  if (!from || from.length !== to?.length || !from.every(({ code }, i) => code === to[i]!.code)) return null
  return new Map(from.map(({ line }, i) => [line, to[i]!.line]))
}

/** Code that may read its own text or line numbers: its results can depend on a comment. */
const READS_ITSELF =
  /\b(?:inspect|linecache|traceback|tokenize|ast|dis|warnings|open|read_text|read_bytes|exec|eval|_getframe|__file__|__loader__|__code__|co_\w+|f_\w+|tb_\w+|\w*lineno)\b/

export const readsItself = (text: string): boolean => READS_ITSELF.test(text)
