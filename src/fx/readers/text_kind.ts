/** Tells whether a text, such as a dropped file or a pasted issue, is a graph or Python, by its content. */
import { cleanText } from './clean/clean_text'
import { contentOf } from './sections/code_in_text'
import { registersPatterns } from './sections/describe_code'
import type { CodeBlock } from './sections/python_blocks'

/** The first characters show a text's kind; a log of megabytes need not be read twice. */
const READ = 4_000_000

/**
 * `graph`: a printed graph, or an unrecognized text, which the reader describes. `python`: a program. `patterns`: the program in a
 * text that registers patterns; null if there is none, and for a text that is only a program.
 */
export interface TextKind {
  kind: 'graph' | 'python'
  patterns: string | null
}

/** The kind of a text. A printed graph wins over programs beside it, but not over a program that quotes it in a comment. */
export function textKind(text: string): TextKind {
  const clean = cleanText(text.slice(0, READ))
  const { graphs, programs, certain } = contentOf(clean)
  const lines = clean.text.split('\n')
  const covered = programs.reduce((n, b) => n + b.text.split('\n').filter((l) => l.trim() !== '').length, 0)
  const all = lines.filter((l) => l.trim() !== '').length
  const patterns = registering(programs)
  const inProgram = graphs.every((s) => !certain.has(s) || programs.some((b) => b.line < s.line && s.line < b.endLine))
  if (graphs.length > 0) {
    const isProgram = inProgram && patterns !== null && covered === all
    return isProgram ? { kind: 'python', patterns: null } : { kind: 'graph', patterns }
  }
  if (programs.length === 0) return { kind: 'graph', patterns: null }
  const fenced = [...clean.fences].some((i) => !programs.some((b) => b.line <= i + 1 && i + 1 < b.endLine))
  const mostly = !fenced && covered * 2 > all
  return mostly ? { kind: 'python', patterns: null } : { kind: patterns === null ? 'graph' : 'python', patterns }
}

/** The programs that register patterns, after the text's first program if they import nothing; null if none registers any. */
function registering(programs: readonly CodeBlock[]): string | null {
  const found = programs.filter((b) => registersPatterns(b.text))
  if (found.length === 0) return null
  const imports = /^(?:import|from)\s/m
  const head = found.some((b) => imports.test(b.text)) ? [] : programs.filter((b) => imports.test(b.text)).slice(0, 1)
  return [...head, ...found].map((b) => b.text).join('\n')
}
