/** Sizes as sympy prints them: `2*s72 + 1`, `(s72//2)`, `s70**2`, `Max(1, u0)`. Other text is no size. */

/** Functions that an exported script evaluates (lib/_fusescope/exported/sizes.py). */
const FUNCTIONS = /^(?:Max|Min|FloorDiv|Mod|PythonMod|CleanDiv)$/
const TOKEN = /\s*(\*\*|\/\/|[A-Za-z_]\w*|\d+|[-+*/%(),])/y
const MAX_LENGTH = 2000
const MAX_DEPTH = 50
const MAX_EXPONENT = 64

/** True for sums, products, quotients and powers of symbols and ints, and calls of the functions above. */
export function isSize(text: string): boolean {
  const tokens = text.length <= MAX_LENGTH ? tokensOf(text) : null
  if (!tokens || tokens.length === 0) return false
  const reader = new SizeReader(tokens)
  return reader.sum(0) && reader.atEnd
}

export const isSymbol = (text: string): boolean => /^[a-z]{1,4}\d{1,9}$/.test(text)

function tokensOf(text: string): string[] | null {
  const tokens: string[] = []
  const end = text.trimEnd().length
  if (/[^\x20-\x7e]/.test(text)) return null
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text)
    if (!match) return null
    tokens.push(match[1]!)
  }
  return tokens
}

class SizeReader {
  private at = 0

  constructor(private readonly tokens: readonly string[]) {}

  get atEnd(): boolean {
    return this.at === this.tokens.length
  }

  sum(depth: number): boolean {
    do if (!this.product(depth)) return false
    while (this.take('+', '-'))
    return true
  }

  private product(depth: number): boolean {
    do if (!this.power(depth)) return false
    while (this.take('*', '//', '/', '%'))
    return true
  }

  private power(depth: number): boolean {
    let signs = 0
    while (this.take('-')) if (++signs > 2) return false
    if (!this.atom(depth)) return false
    if (!this.take('**')) return true
    const exponent = this.tokens[this.at++]
    return exponent !== undefined && /^\d{1,2}$/.test(exponent) && Number(exponent) <= MAX_EXPONENT
  }

  private atom(depth: number): boolean {
    const token = this.tokens[this.at++]
    if (token === undefined || depth > MAX_DEPTH) return false
    if (/^\d/.test(token)) return token.length <= 18
    if (token === '(') return this.sum(depth + 1) && this.take(')')
    if (!FUNCTIONS.test(token)) return isSymbol(token)
    if (!this.take('(')) return false
    do if (!this.sum(depth + 1)) return false
    while (this.take(','))
    return this.take(')')
  }

  private take(...wanted: readonly string[]): boolean {
    const found = wanted.includes(this.tokens[this.at] ?? '')
    if (found) this.at++
    return found
  }
}
