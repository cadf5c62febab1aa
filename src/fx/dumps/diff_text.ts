/** Recovers both sides of a unified diff (`git diff`, `diff -u`, a fenced ```diff block of an issue) of a graph's dump. */

export interface DiffSides {
  before: string
  after: string
}

const HUNK = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/
const HEADER =
  /^(?:diff |index [0-9a-f]+\.\.|--- |\+\+\+ |new file|deleted file|old mode|new mode|similarity|rename |\\ No newline|```|~~~)/
/** A changed line of a graph. */
const CHANGED =
  /^[-+]\s*(?:%\w|\w+\s*(?::\s*[^=]{1,200})?=|return\b|class\s|def\s|graph\(|opcode\b|(?:call_|placeholder|output)\w*\s)/

/** Both sides; null for a text that is no diff of a graph. Where the diff leaves lines out, the sides have `...`. */
export function diffSides(text: string): DiffSides | null {
  const lines = text.replaceAll('\r', '').split('\n')
  if (!isDiff(lines)) return null
  const before: string[] = []
  const after: string[] = []
  let hunks = 0
  for (const line of lines) {
    if (HUNK.test(line)) {
      if (hunks++ > 0) for (const side of [before, after]) side.push('...')
      continue
    }
    if (HEADER.test(line)) continue
    const rest = line.slice(1)
    if (line[0] !== '+') before.push(rest)
    if (line[0] !== '-') after.push(rest)
  }
  return { before: `${before.join('\n').trimEnd()}\n`, after: `${after.join('\n').trimEnd()}\n` }
}

/** A graph's lines are changed, and every line has a diff's first column. */
function isDiff(lines: readonly string[]): boolean {
  if (!lines.some((l) => CHANGED.test(l))) return false
  const body = lines.filter((l) => l.trim() !== '' && !HUNK.test(l) && !HEADER.test(l))
  const marked = body.filter((l) => /^[-+ ]/.test(l)).length
  if (lines.some((l) => HUNK.test(l))) return marked * 10 >= body.length * 9
  // Without hunks: at least a context line and a changed one, and nothing else.
  return marked === body.length && body.some((l) => l.startsWith(' ')) && !/^\s*-+\s*$/.test(body[0] ?? '')
}
