/** A unified diff as lines for a narrow column: changed parts of a line are marked, equal parts are shortened. */
import { splitPair, type LineParts } from '../entry_diff'

export type DiffLine =
  | { kind: 'file'; text: string }
  | { kind: 'gap' }
  | { kind: 'same' | 'add' | 'remove'; text: string; parts: LineParts | null }

type CodeLine = Exclude<DiffLine, { kind: 'file' } | { kind: 'gap' }>

const isCode = (l: DiffLine | undefined): l is CodeLine =>
  l?.kind === 'same' || l?.kind === 'add' || l?.kind === 'remove'

/** Replaces the headers by one line with the file name, and removes common indentation. */
export function diffLines(diff: string): DiffLine[] {
  const lines: DiffLine[] = []
  const code = (kind: CodeLine['kind'], text: string): number => lines.push({ kind, text, parts: null })
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    if (line.startsWith('--- ') || line.startsWith('\\')) continue
    if (line.startsWith('+++ ')) lines.push({ kind: 'file', text: line.slice(4).replace(/^b\//, '').trim() })
    else if (line.startsWith('@@')) {
      if (isCode(lines.at(-1))) lines.push({ kind: 'gap' })
    } else if (line.startsWith('+')) code('add', line.slice(1))
    else if (line.startsWith('-')) code('remove', line.slice(1))
    else code('same', line.replace(/^ /, ''))
  }
  for (let last = lines.at(-1); last?.kind === 'same' && last.text.trim() === ''; last = lines.at(-1)) lines.pop()
  return paired(dedented(lines))
}

function dedented(lines: DiffLine[]): DiffLine[] {
  const indents = lines.flatMap((l) => (isCode(l) && l.text.trim() !== '' ? [/^ */.exec(l.text)![0].length] : []))
  const shared = Math.min(...indents)
  if (!Number.isFinite(shared) || shared === 0) return lines
  return lines.map((l) => (isCode(l) ? { ...l, text: l.text.slice(shared) } : l))
}

/** Pairs each removed line with a similar added line of its block, if there is one. */
function paired(lines: DiffLine[]): DiffLine[] {
  const out = [...lines]
  for (let i = 0; i < out.length;) {
    const block: number[] = []
    while (out[i]?.kind === 'add' || out[i]?.kind === 'remove') block.push(i++)
    const free = new Set(block.filter((k) => out[k]!.kind === 'add'))
    for (const k of block) {
      const line = out[k]
      if (!isCode(line) || line.kind !== 'remove') continue
      const like = [...free].map((a) => ({ a, share: likeness(line.text, (out[a] as CodeLine).text) }))
      const best = like.reduce((x, y) => (y.share > x.share ? y : x), { a: -1, share: 0.4 })
      if (best.a < 0) continue
      free.delete(best.a)
      const other = out[best.a] as CodeLine
      const { left, right } = splitPair(line.text, other.text)
      out[k] = { ...line, parts: short(left) }
      out[best.a] = { ...other, parts: short(right) }
    }
    if (block.length === 0) i++
  }
  return out
}

/** Length of the common prefix and suffix, relative to the longer line. */
function likeness(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let start = 0
  while (start < most && a[start] === b[start]) start++
  let end = 0
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return (start + end) / Math.max(a.length, b.length, 1)
}

/** Maximum length of a line that is not shortened, in characters, and the number of characters kept beside a change. */
const WHOLE = 100
const BEGIN = 28
const BESIDE = 20

function short(parts: LineParts): LineParts {
  const { before, changed, after } = parts
  if (before.length + changed.length + after.length <= WHOLE) return parts
  return {
    before: before.length > BEGIN + BESIDE + 6 ? `${before.slice(0, BEGIN)} … ${before.slice(-BESIDE)}` : before,
    changed,
    after: after.length > BESIDE + 6 ? `${after.slice(0, BESIDE)} …` : after,
  }
}
