/** Finds the functions and loops of a WGSL text: enough to bound them, without a full parser. */

interface Token {
  text: string
  at: number
  line: number
}

export interface Loop {
  keyword: 'loop' | 'for' | 'while'
  /** Offset of the keyword, of the character after the body's `{`, and of the character after its `}`. */
  at: number
  bodyAt: number
  end: number
  line: number
  /** True if the loop calls, directly or through functions, something that needs uniform control flow. */
  uniform: boolean
  /** The loop encloses this one: the index in the function's list, or -1. */
  parent: number
}

export interface WgslFunction {
  name: string
  line: number
  /** The text of its return type, or null. */
  returns: string | null
  bodyAt: number
  /** Offset of the body's `}`. */
  end: number
  /** Functions of the text that it calls, once for each call. */
  calls: string[]
  uniform: boolean
  loops: Loop[]
}

/** Built-in functions that WGSL allows in uniform control flow only. */
const NEEDS_UNIFORM =
  /^(workgroupBarrier|storageBarrier|textureBarrier|workgroupUniformLoad|textureSample\w*|dpdx\w*|dpdy\w*|fwidth\w*|subgroup[A-Z]\w*|quad[A-Z]\w*)$/

const TOKEN = /\/\/[^\n]*|\/\*|\n|[A-Za-z_]\w*|->|[{}();]|[^\s]/g

/** Names and punctuation outside comments, which nest in WGSL. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const scan = new RegExp(TOKEN)
  let line = 1
  for (let m = scan.exec(text); m; m = scan.exec(text)) {
    const t = m[0]
    if (t === '\n') line++
    else if (t === '/*') {
      const end = endOfComment(text, m.index)
      line += text.slice(m.index, end).split('\n').length - 1
      scan.lastIndex = end
    } else if (!t.startsWith('//')) tokens.push({ text: t, at: m.index, line })
  }
  return tokens
}

function endOfComment(text: string, from: number): number {
  let depth = 0
  const scan = /\/\*|\*\//g
  scan.lastIndex = from
  for (let m = scan.exec(text); m; m = scan.exec(text)) {
    depth += m[0] === '/*' ? 1 : -1
    if (depth === 0) return m.index + 2
  }
  return text.length
}

/** Index of the token that closes the bracket at `i`; the last token if none does. */
function closing(tokens: readonly Token[], i: number, open: string, close: string): number {
  let depth = 0
  for (let k = i; k < tokens.length; k++) {
    if (tokens[k]!.text === open) depth++
    else if (tokens[k]!.text === close && --depth === 0) return k
  }
  return tokens.length - 1
}

/** The functions of a text that a WGSL compiler accepts; of any other text, what resembles functions. */
export function wgslFunctions(text: string): WgslFunction[] {
  const tokens = tokensOf(text)
  const found: { fn: WgslFunction; from: number; to: number }[] = []
  for (let i = 0; i + 2 < tokens.length; i++) {
    if (tokens[i]!.text !== 'fn' || tokens[i + 2]!.text !== '(') continue
    const head = closing(tokens, i + 2, '(', ')')
    const from = tokens.findIndex((t, k) => k > head && t.text === '{')
    if (from < 0) break
    const to = closing(tokens, from, '{', '}')
    const arrow = tokens[head + 1]
    const returns = arrow?.text === '->' ? text.slice(arrow.at + 2, tokens[from]!.at).trim() : null
    const { text: name } = tokens[i + 1]!
    const { line } = tokens[i]!
    const [bodyAt, end] = [tokens[from]!.at + 1, tokens[to]!.at]
    found.push({ fn: { name, line, returns, bodyAt, end, calls: [], uniform: false, loops: [] }, from, to })
    i = to
  }
  const names = new Set(found.map((f) => f.fn.name))
  for (const { fn, from, to } of found)
    for (let i = from; i < to; i++)
      if (tokens[i + 1]!.text === '(' && names.has(tokens[i]!.text)) fn.calls.push(tokens[i]!.text)
  const uniform = namesThatNeedUniform(found, tokens)
  for (const { fn, from, to } of found) {
    fn.uniform = uniform.has(fn.name)
    fn.loops = loopsOf(tokens, from, to, (t) => uniform.has(t) || NEEDS_UNIFORM.test(t))
  }
  return found.map((f) => f.fn)
}

/** Functions that need uniform control flow, directly or through their calls. */
function namesThatNeedUniform(
  found: readonly { fn: WgslFunction; from: number; to: number }[],
  tokens: readonly Token[],
): Set<string> {
  const uniform = new Set<string>()
  for (const { fn, from, to } of found)
    if (tokens.slice(from, to).some((t) => NEEDS_UNIFORM.test(t.text))) uniform.add(fn.name)
  for (let size = -1; size !== uniform.size;) {
    size = uniform.size
    for (const { fn } of found) if (fn.calls.some((c) => uniform.has(c))) uniform.add(fn.name)
  }
  return uniform
}

function loopsOf(tokens: readonly Token[], from: number, to: number, needs: (name: string) => boolean): Loop[] {
  const loops: (Loop & { last: number })[] = []
  for (let i = from; i < to; i++) {
    const { text: keyword, at, line } = tokens[i]!
    if (keyword !== 'loop' && keyword !== 'for' && keyword !== 'while') continue
    let open = keyword === 'for' ? closing(tokens, i + 1, '(', ')') : i
    while (open < to && tokens[open]!.text !== '{') open++
    const last = closing(tokens, open, '{', '}')
    const uniform = tokens.slice(i, last).some((t) => needs(t.text))
    const parent = loops.findLastIndex((l) => l.last > i)
    loops.push({
      keyword,
      at,
      line,
      uniform,
      parent,
      last,
      bodyAt: tokens[open]!.at + 1,
      end: tokens[last]!.at + 1,
    })
  }
  return loops.map(({ last: _last, ...loop }) => loop)
}
