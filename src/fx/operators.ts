/** Python's operators in FX code, and the functions of `operator` that they call (torch.fx.graph). */

/** `a * b` → `operator.mul`. */
export const BINARY: ReadonlyMap<string, string> = new Map([
  ['+', 'add'],
  ['-', 'sub'],
  ['*', 'mul'],
  ['//', 'floordiv'],
  ['/', 'truediv'],
  ['%', 'mod'],
  ['**', 'pow'],
  ['<<', 'lshift'],
  ['>>', 'rshift'],
  ['&', 'and_'],
  ['|', 'or_'],
  ['^', 'xor'],
  ['@', 'matmul'],
  ['==', 'eq'],
  ['!=', 'ne'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['<=', 'le'],
  ['>=', 'ge'],
])

/** `-a` → `operator.neg`. */
export const UNARY: ReadonlyMap<string, string> = new Map([
  ['+', 'pos'],
  ['-', 'neg'],
  ['~', 'invert'],
])

/** `a += b` → `operator.iadd`. */
export const INPLACE: ReadonlyMap<string, string> = new Map([
  ['+=', 'iadd'],
  ['&=', 'iand'],
  ['//=', 'ifloordiv'],
  ['<<=', 'ilshift'],
  ['%=', 'imod'],
  ['*=', 'imul'],
  ['@=', 'imatmul'],
  ['|=', 'ior'],
  ['**=', 'ipow'],
  ['>>=', 'irshift'],
  ['-=', 'isub'],
  ['/=', 'itruediv'],
  ['^=', 'ixor'],
])

const flip = (table: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...table].map(([sign, name]) => [`operator.${name}`, sign]))

/** `operator.mul` → `*`, and so on. */
export const BINARY_SIGN = flip(BINARY)
export const UNARY_SIGN = flip(UNARY)
export const INPLACE_SIGN = flip(INPLACE)
