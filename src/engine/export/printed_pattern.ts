/**
 * Reads PatternPrettyPrinter's text as what it should be: assignments of calls of pattern classes with names of the tables and literals.
 * Names in it are of user code or a capture, so other text is no pattern.
 */
import { identifier, MAX_NESTED, type Code } from '../../fx/code/code'
import { targetCode } from '../../fx/code/targets'
import { DTYPES, LAYOUTS, MEMORY_FORMATS } from '../../fx/dtypes'

const CLASSES: ReadonlySet<string> = new Set(
  (
    'Arg CallFunction CallFunctionVarArgs CallMethod CallMethodVarArgs CallModule CallModuleVarArgs ExclusiveKeywordArg Ignored ' +
    'KeywordArg ListOf MultiOutputPattern RepeatedExpr'
  ).split(' '),
)
/** Calls that print a value. */
const VALUES: ReadonlySet<string> = new Set(['slice', 'device', 'torch.device', 'torch.tensor', 'complex'])
const WORDS: ReadonlySet<string> = new Set(['None', 'True', 'False', 'Ellipsis', 'MULTIPLE', 'inf', 'nan'])

const TOKEN =
  /[ \n]*([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*|\d{1,4000}(?:\.\d*)?(?:e[+-]?\d+)?j?(?!\d)|'(?:[^'\\\p{C}\p{Zl}\p{Zp}]|\\[ -~])*'|"(?:[^"\\\p{C}\p{Zl}\p{Zp}]|\\[ -~])*"|[-+()[\]{},:=])/uy

/** The text without white space at its end, which may be no space to Python; null if it is no such assignments. */
export function patternSource(printed: string): Code | null {
  const text = printed.trimEnd()
  const reader = new PatternReader(text)
  return reader.statements() ? (text as Code) : null
}

class PatternReader {
  private readonly tokens: string[] = []
  /** Indices of tokens that begin a line. */
  private readonly begins = new Set<number>()
  /** Indices of tokens behind a line break. */
  private readonly broken = new Set<number>()
  private at = 0
  private readonly assigned = new Set<string>()

  constructor(text: string) {
    TOKEN.lastIndex = 0
    while (TOKEN.lastIndex < text.length) {
      const from = TOKEN.lastIndex
      const match = /[^\n\x20-\x7e]/.test(text[from] ?? '') ? null : TOKEN.exec(text)
      if (!match) {
        this.tokens.length = 0
        return
      }
      const space = match[0].slice(0, -match[1]!.length)
      if (space === '' ? from === 0 : space.endsWith('\n')) this.begins.add(this.tokens.length)
      if (space.includes('\n')) this.broken.add(this.tokens.length)
      this.tokens.push(match[1]!)
    }
  }

  statements(): boolean {
    if (this.tokens.length === 0) return false
    while (this.at < this.tokens.length) {
      const start = this.at
      const name = identifier(this.tokens[this.at++]!)
      if (!name || RESERVED.has(name) || !this.begins.has(start) || !this.take('=') || !this.expression(0)) return false
      // Outside of brackets a line break ends the statement.
      for (let i = start + 1; i < this.at; i++) {
        if (this.broken.has(i)) return false
        if (/^[([{]$/.test(this.tokens[i]!)) break
      }
      this.assigned.add(name)
    }
    return true
  }

  private expression(depth: number): boolean {
    if (depth > MAX_NESTED) return false
    const sign = this.take('-')
    const token = this.tokens[this.at++]
    if (token === undefined) return false
    if (/^0\d/.test(token)) return false
    if (/^\d/.test(token)) return !(this.take('+') || this.take('-')) || /^\d.*j$/.test(this.tokens[this.at++] ?? '')
    if (sign) return token === 'inf' || token === 'nan'
    if (/^['"]/.test(token)) return true
    if (token === '[') return this.items(']', depth)
    if (token === '(') return this.items(')', depth)
    if (token === '{') return this.items('}', depth)
    if (this.take('(')) return (CLASSES.has(token) || VALUES.has(token)) && this.items(')', depth, true)
    return this.assigned.has(token) || WORDS.has(token) || isTorchValue(token)
  }

  private items(close: string, depth: number, isCall = false): boolean {
    const keywords = new Set<string>()
    while (!this.take(close)) {
      if (isCall && this.tokens[this.at + 1] === '=') {
        const word = this.tokens[this.at]!
        if (!identifier(word) || keywords.has(word)) return false
        keywords.add(word)
        this.at += 2
      } else if (keywords.size > 0) return false
      if (!this.expression(depth + 1)) return false
      if (close === '}' && !(this.take(':') && this.expression(depth + 1))) return false
      if (!this.take(',')) return this.take(close)
    }
    return true
  }

  private take(token: string): boolean {
    const found = this.tokens[this.at] === token
    if (found) this.at++
    return found
  }
}

const RESERVED: ReadonlySet<string> = new Set([
  ...CLASSES,
  ...WORDS,
  ...['torch', 'operator', 'math', 'builtins', 'aten', 'prims', 'device', 'slice', 'complex', 'getattr'],
])

/** `torch.float32`, `aten.add.Tensor`, `torch.ops._C.rms_norm.default`, `operator.getitem`. */
function isTorchValue(name: string): boolean {
  const [first, second = '', ...rest] = name.split('.')
  if (first === 'torch' && rest.length === 0 && [DTYPES, LAYOUTS, MEMORY_FORMATS].some((known) => known.has(second)))
    return true
  const isOperator = name.startsWith('torch.ops.')
  const written = targetCode(isOperator ? name.slice('torch.ops.'.length) : name)
  return written !== null && (written === name || (/^(?:aten|prims)\./.test(name) && written === `torch.ops.${name}`))
}
