/** Splits patterns as PyTorch logs them (repr) into their parts, without evaluating them. */

const MAKERS =
  /(?:CallFunction|CallMethod|CallModule|CallFunctionVarArgs|CallMethodVarArgs|CallModuleVarArgs|MultiOutputPattern|ListOf|RepeatedExpr|KeywordArg|ExclusiveKeywordArg|Arg|Ignored|GetAttr)\(/y

/** Index after the bracket that closes the one at `open`; -1 if the text ends first. */
export function closing(text: string, open: number): number {
  let depth = 0
  for (let i = open; i < text.length; i++) {
    const c = text[i]!
    if (c === "'" || c === '"') {
      i = text.indexOf(c, i + 1)
      if (i < 0) return -1
    } else if (c === '(' || c === '[' || c === '{') depth++
    else if ((c === ')' || c === ']' || c === '}') && --depth === 0) return i + 1
  }
  return -1
}

/** Start and completeness of each top-level pattern in a text, in order. */
export function patternsIn(text: string): { start: number; end: number; complete: boolean }[] {
  const out: { start: number; end: number; complete: boolean }[] = []
  for (let i = 0; i < text.length; i++) {
    MAKERS.lastIndex = i
    if ((i === 0 || !/[\w.']/.test(text[i - 1]!)) && MAKERS.test(text)) {
      const end = closing(text, MAKERS.lastIndex - 1)
      out.push({ start: i, end: end < 0 ? text.length : end, complete: end >= 0 })
      if (end < 0) return out
      i = end - 1
    }
  }
  return out
}

/** The operator of `CallFunction(aten.add.Tensor, …)` and its number of positional arguments. */
export function headOf(pattern: string): { target: string; args: number; users: string } | null {
  const open = pattern.indexOf('(')
  if (!/^Call\w+\(/.test(pattern)) return null
  const parts = split(pattern.slice(open + 1, pattern.endsWith(')') ? -1 : undefined))
  const target = (parts[0] ?? '').replace(/^\[/, '').split(',')[0]!.replace(/\]$/, '')
  const positional = parts.slice(1).filter((p) => !/^\w+=/.test(p))
  const users = parts.find((p) => p.startsWith('_users='))?.slice('_users='.length) ?? '1'
  return { target: target.replace(/^torch\.ops\./, ''), args: positional.length, users }
}

/** Splits at commas outside brackets. */
export function split(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (c === "'" || c === '"') {
      const end = text.indexOf(c, i + 1)
      if (end < 0) break
      i = end
    } else if ('([{'.includes(c)) depth++
    else if (')]}'.includes(c)) depth--
    else if (c === ',' && depth === 0) {
      parts.push(text.slice(from, i).trim())
      from = i + 1
    }
  }
  const last = text.slice(from).trim()
  return last === '' ? parts : [...parts, last]
}

/** Longer patterns are compared by a prefix of this length. */
const LONGEST = 60_000

/** Joins PatternPrettyPrinter's lines into the single expression that repr gives, for comparison with `plain`. */
export function inlined(printed: string): string {
  const known = new Map<string, string>()
  let last = ''
  for (const line of printed
    .replace(/\n\s+/g, ' ')
    .replace(/\n\]\)/g, '])')
    .split('\n')) {
    const equals = line.indexOf(' = ')
    if (equals < 0) continue
    const body = line
      .slice(equals + 3)
      .replace(/(?<![\w.'=]|Call\w*\(\[?)([A-Za-z_]\w*)(?![\w(.='])/g, (w) => known.get(w) ?? w)
    const named = body.replace(/=([A-Za-z_]\w*)(?=[,)\]])/g, (w, n: string) => (known.has(n) ? `=${known.get(n)}` : w))
    last = named.slice(0, LONGEST)
    known.set(line.slice(0, equals), last)
  }
  return plain(last)
}

/** Normalizes a pattern's text so that two prints of it compare equal. */
export const plain = (text: string): string =>
  text
    .replace(/<OpOverload\(op='([\w.]+)', overload='(\w+)'\)>/g, '$1.$2')
    .replaceAll('torch.ops.', '')
    .replaceAll('Ignored()', '*')
    .replace(/\s+/g, '')
    .slice(0, LONGEST)
