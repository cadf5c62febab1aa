/** Recovers both sides of a unified diff of a graph dump (`git diff`, `diff -u`, a fenced ```diff block in an issue). */

export interface DiffSides {
  before: string
  after: string
}

const HUNK = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/
const HEADER =
  /^(?:diff |index [0-9a-f]+\.\.|--- |\+\+\+ |new file|deleted file|old mode|new mode|similarity|rename |\\ No newline|```|~~~)/
const DIFF_FENCE = /^\s{0,3}(?:`{3,}|~{3,})diff\b/
/** A changed line of a graph. */
const CHANGED =
  /^[-+]\s*(?:%\w|\w+\s*(?::\s*[^=]{1,200})?=|return\b|class\s|def\s|graph\(|opcode\b|(?:call_|placeholder|output)\w*\s)/

/** A line of a printed graph, inside or outside a diff; never a line of a program. */
const GRAPH =
  /^[-+ ]?\s*(?:%\w+ : |graph\(|opcode\s|(?:call_(?:function|method|module)|placeholder)\s|class (?:GraphModule|<lambda>)\(|\w+ ?: "\w+\[|.*;  (?:\w+ = )+None)/

/** Both sides; null for a text that is not a diff of a graph. A side has `...` where the diff leaves lines out. */
export function diffSides(text: string): DiffSides | null {
  const all = text.replaceAll('\r', '').split('\n')
  const lines = isDiff(all) ? all : fencedDiff(all)
  if (!lines) return null
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

/**
 * The only fenced block of a text that is a diff of a graph; null for none or several. A diff whose lines only call operators may
 * be a program's if the text shows a graph elsewhere.
 */
function fencedDiff(lines: readonly string[]): readonly string[] | null {
  const fences = lines.flatMap((l, i) => (/^\s{0,3}(?:```|~~~)/.test(l) ? [i] : []))
  // A text cut inside a block lacks the closing fence.
  const blocks = fences.flatMap((at, i) => (i % 2 === 0 ? [lines.slice(at + 1, fences[i + 1])] : []))
  // A review shows only added lines, in a block marked as a diff.
  const named = new Set(blocks.filter((_, i) => DIFF_FENCE.test(lines[fences[2 * i]!]!)))
  const found = blocks.filter((b) => isDiff(b) || (named.has(b) && isAdded(b)))
  if (found.length === 0) return null
  const calls = lines.some((l) => GRAPH.test(l)) ? null : 'torch.ops.'
  const diffs = found.filter((b) => b.some((l) => GRAPH.test(l) || (calls !== null && l.includes(calls))))
  return diffs.length === 1 ? diffs[0]! : null
}

/** All lines were added, or all removed, and some belong to a graph. */
function isAdded(lines: readonly string[]): boolean {
  const body = lines.filter((l) => l.trim() !== '')
  return ['+', '-'].some((sign) => body.every((l) => l.startsWith(sign))) && body.some((l) => CHANGED.test(l))
}

/** Some changed lines belong to a graph, and every line has a diff's first column. */
function isDiff(lines: readonly string[]): boolean {
  if (!lines.some((l) => CHANGED.test(l))) return false
  const body = lines.filter((l) => l.trim() !== '' && !HUNK.test(l) && !HEADER.test(l))
  const marked = body.filter((l) => /^[-+ ]/.test(l)).length
  if (lines.some((l) => HUNK.test(l))) return marked * 10 >= body.length * 9
  // Without hunks: at least a context line and a changed one, and nothing else.
  return marked === body.length && body.some((l) => l.startsWith(' ')) && !/^\s*-+\s*$/.test(body[0] ?? '')
}
