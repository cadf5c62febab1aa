/** Whether a text is a graph or Python, by what it holds: a file that is dropped, an issue that is pasted. */
import { cleanText } from './clean/clean_text'
import { contentOf } from './sections/code_in_text'
import { registersPatterns } from './sections/describe_code'
import type { CodeBlock } from './sections/python_blocks'

/** A text's kind shows in its first characters; a log of megabytes need not be read twice. */
const READ = 4_000_000

/**
 * `graph`: a printed graph, or a text that is none of these, of which the reader says what it is. `python`: a program.
 * `patterns`: the program in a text that registers patterns; null if none does, and for a program without other text.
 */
export interface TextKind {
  kind: 'graph' | 'python'
  patterns: string | null
}

/** What a text is. A printed graph wins over programs beside it, but not over a program whose comment it is. */
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

/** The programs that register patterns, behind the first one if they import nothing; null if none registers any. */
function registering(programs: readonly CodeBlock[]): string | null {
  const found = programs.filter((b) => registersPatterns(b.text))
  if (found.length === 0) return null
  const imports = /^(?:import|from)\s/m
  const head = found.some((b) => imports.test(b.text)) ? [] : programs.filter((b) => imports.test(b.text)).slice(0, 1)
  return [...head, ...found].map((b) => b.text).join('\n')
}
