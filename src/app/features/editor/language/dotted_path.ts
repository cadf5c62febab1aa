/** Dotted names in Python text, with the aliases that its imports and assignments give them. */

/** Local name → the path it refers to: `F` → `torch.nn.functional`, `aten` → `torch.ops.aten`. */
export function aliasesOf(text: string): Map<string, string> {
  const aliases = new Map<string, string>()
  for (const m of text.matchAll(/^\s*import (torch[\w.]*)(?: as (\w+))?/gm)) if (m[2]) aliases.set(m[2], m[1]!)
  for (const m of text.matchAll(/^\s*from (torch[\w.]*) import (?:\(([^)]*)\)|([^\n(]*))/gm))
    for (const part of (m[2] ?? m[3] ?? '').replace(/#.*/g, '').split(',')) {
      const name = /^\s*(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(part)
      if (name) aliases.set(name[2] ?? name[1]!, `${m[1]}.${name[1]}`)
    }
  for (const m of text.matchAll(/^(\w+) = (torch(?:\.\w+)+)\s*(?:#.*)?$/gm)) aliases.set(m[1]!, m[2]!)
  return aliases
}

/** The path with the alias of its first name replaced; at most four times, since aliases may name aliases. */
export function resolved(path: string, aliases: ReadonlyMap<string, string>): string {
  let full = path
  for (let i = 0; i < 4; i++) {
    const [first = '', ...rest] = full.split('.')
    const of = aliases.get(first)
    if (of === undefined || first === 'torch') break
    full = [of, ...rest].join('.')
  }
  return full
}

/** The parts `torch.ops.aten.` and `mu` in `y = torch.ops.aten.mu`, at the end of the text. */
export function pathBefore(text: string): { path: string; partial: string } {
  const found = /((?:[A-Za-z_]\w*\.)*)(\w*)$/.exec(text)!
  return { path: found[1]!.slice(0, -1), partial: found[2]! }
}

/** The dotted name up to the end of the word at a column (from 1), and the columns of that word; null outside names. */
export function pathAt(line: string, column: number): { path: string; from: number; to: number } | null {
  let to = column - 1
  while (to < line.length && /\w/.test(line[to]!)) to++
  const found = /(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*$/.exec(line.slice(0, to))
  if (!found) return null
  const word = /\w+$/.exec(found[0])![0]
  return { path: found[0], from: to - word.length + 1, to: to + 1 }
}
