/** Reads the right side of a statement in print_readable's code as the FX node that printed it. */
import { type Arg, NO_KWARGS, type NodeOp, tuple } from '../graph/node'
import { BINARY, INPLACE, UNARY } from '../operators'
import type { PythonValues, Resolve } from './python_value'
import { isWord, isWordStart, ScanError, skipSpaces, wordEnd } from './scan'
import { dialectFromCode } from '../dialect'
import { targetFromText } from '../target'

/** The parts of a node in its statement. */
export interface Call {
  op: NodeOp
  target: string
  args: readonly Arg[]
  kwargs: ReadonlyMap<string, Arg>
}

const call = (op: NodeOp, target: string, args: readonly Arg[], kwargs = NO_KWARGS): Call => ({
  op,
  target,
  args,
  kwargs,
})
const operator = (name: string, ...args: Arg[]): Call => call('call_function', `operator.${name}`, args)

const BUILTINS = new Set(
  (
    'getattr setattr hasattr len max min abs round int float bool complex str sum slice tuple list dict set range divmod ' +
    'pow isinstance type any all sorted reversed zip enumerate map filter iter next repr print'
  ).split(' '),
)

/** The name in print(graph) of a function that FX code calls by a global name: `_operator_not_`, `math_ceil`. */
function functionTarget(name: string): string {
  if (name.startsWith('torch.')) return targetFromText(name)
  if (name.startsWith('torch_Tensor_')) return `torch.Tensor.${name.slice('torch_Tensor_'.length)}`
  if (name.startsWith('_operator_')) return `operator.${name.slice('_operator_'.length)}`
  if (name.startsWith('math_')) return `math.${name.slice('math_'.length)}`
  if (name.startsWith('executorch_')) return dialectFromCode(name) ?? name
  return BUILTINS.has(name) ? `builtins.${name}` : targetFromText(name)
}

/** Reads the right sides of statements at the cursor of `values`. */
export class ReadableStatement {
  constructor(
    private readonly values: PythonValues,
    private readonly resolve: Resolve,
  ) {}

  /** The node of a right side, or `{ alias }` if it only renames a value. */
  rightSide(): Call | { alias: Arg } {
    const { values } = this
    const found = this.expression()
    if (values.peek() !== -1 && !this.at(59)) throw new ScanError(values.pos, 'the end of the statement or ";"')
    return found
  }

  /** Reads `x += y` or `x[i] = v`, whose node is named after the ";"; null if the line is neither. */
  inPlace(): Call | null {
    const { values } = this
    const into = values.primary()
    if (values.peek() === 91) {
      const index = this.index()
      if (values.peek() !== 61) return null
      values.pos++
      return operator('setitem', into, index, values.value())
    }
    const sign = this.sign()
    const name = INPLACE.get(sign)
    return name === undefined ? null : operator(name, into, values.value())
  }

  private at(code: number): boolean {
    return this.values.text.charCodeAt(this.values.pos) === code
  }

  private expression(): Call | { alias: Arg } {
    const { values } = this
    const c = values.peek()
    if (c === 45 || c === 43 || c === 126) {
      const unary = UNARY.get(String.fromCharCode(c))!
      if (c === 126 || !values.startsNumber()) {
        values.pos++
        return operator(unary, values.value())
      }
    }
    if (c === 40) return this.bracketed()
    if (!isWordStart(c)) return this.afterOperand(values.primary())
    const { text, end } = values
    const start = values.pos
    const stop = wordEnd(text, start, end)
    const word = text.slice(start, stop)
    if (word === 'self' && text.charCodeAt(stop) === 46) return this.attributeOf(this.selfPath())
    if (word === 'getattr' && this.isSelfPath(start)) return this.attributeOf(this.selfPath())
    const local = this.resolve(word)
    if (local !== undefined) {
      values.pos = stop
      return this.afterOperand(local)
    }
    const name = values.dotted()
    if (values.pos < end && text.charCodeAt(values.pos) === 40 && !this.isLiteral(name)) {
      if (name === 'getattr') return this.getattrCall()
      const { args, kwargs } = this.arguments()
      return call('call_function', functionTarget(name), args, kwargs)
    }
    values.pos = start
    return this.afterOperand(values.primary())
  }

  /** `(1 + 2j) * x`, or brackets that a formatter put around a call to break the line. */
  private bracketed(): Call | { alias: Arg } {
    const { values } = this
    const start = values.pos
    try {
      return this.afterOperand(values.primary())
    } catch (e) {
      if (!(e instanceof ScanError) || !/^\(\s*\n/.test(values.text.slice(start, start + 200))) throw e
    }
    values.reset(start + 1, values.end)
    const found = this.expression()
    values.expect(41, '")"')
    return found
  }

  /** True for `complex(0.0, 1.0) * x`, where a call is the first operand. A lone `slice(a, b)` is a node. */
  private isLiteral(name: string): boolean {
    if (name !== 'complex' && name !== 'device' && name !== 'slice') return false
    const { values } = this
    const open = values.pos
    values.skipBrackets()
    const next = values.peek()
    values.pos = open
    return next !== -1 && next !== 59
  }

  /** Reads what follows a first operand: a method call, an attribute, a subscript, an operator, or nothing. */
  private afterOperand(left: Arg): Call | { alias: Arg } {
    const { values } = this
    const next = values.peek()
    if (next === -1 || next === 59) return { alias: left }
    if (next === 46) {
      values.pos++
      const name = values.dotted()
      if (name === '') throw new ScanError(values.pos, 'the name of an attribute')
      return this.method(left, name)
    }
    if (next === 91) return operator('getitem', left, this.index())
    const at = values.pos
    const sign = this.sign()
    const name = BINARY.get(sign)
    if (name === undefined) throw new ScanError(at, 'an operator, ".", "[" or the end of the statement')
    return operator(name, left, values.value())
  }

  private method(left: Arg, name: string): Call {
    if (this.values.peek() !== 40) return call('call_function', 'builtins.getattr', [left, name])
    const { args, kwargs } = this.arguments()
    return call('call_method', name, [left, ...args], kwargs)
  }

  /** `getattr(x, "a.b")(…)` is a method with an unusual name; with a default it is a call of getattr. */
  private getattrCall(): Call {
    const { args, kwargs } = this.arguments()
    const [object, name] = args
    if (args.length === 2 && typeof name === 'string' && this.values.peek() === 40) return this.method(object!, name)
    return call('call_function', 'builtins.getattr', args, kwargs)
  }

  private attributeOf(path: string): Call {
    if (this.values.peek() !== 40) return call('get_attr', path, [])
    const { args, kwargs } = this.arguments()
    return call('call_module', path, args, kwargs)
  }

  /** True at `getattr(self.a, …)`, however deep. */
  private isSelfPath(at: number): boolean {
    const { text } = this.values
    let start = at
    while (text.startsWith('getattr(', start)) start += 'getattr('.length
    return text.startsWith('self', start) && !isWord(text.charCodeAt(start + 4))
  }

  /** `self.a.b`, and `getattr(getattr(self.layers, "0"), "1").w`: the path below self. */
  private selfPath(): string {
    const { values } = this
    const { text, end } = values
    let opened = 0
    while (text.startsWith('getattr(', values.pos)) {
      values.pos += 'getattr('.length
      if (++opened > 100) throw new ScanError(values.pos, 'at most 100 nested getattr')
    }
    const parts = values.dotted().split('.')
    if (parts[0] !== 'self') throw new ScanError(values.pos, '"self"')
    parts.shift()
    while (opened > 0) {
      values.expect(44, '","')
      const c = values.peek()
      if (c !== 34 && c !== 39) throw new ScanError(values.pos, "an attribute's name in quotes")
      parts.push(values.string())
      values.expect(41, '")"')
      opened--
      while (text.charCodeAt(values.pos) === 46 && isWord(text.charCodeAt(values.pos + 1))) {
        const stop = wordEnd(text, values.pos + 1, end)
        parts.push(text.slice(values.pos + 1, stop))
        values.pos = stop
      }
    }
    return parts.join('.')
  }

  /** `[…]`, consumed. */
  private index(): Arg {
    const { values } = this
    values.pos++
    const { items, comma } = values.items(93)
    if (items.length === 0) throw new ScanError(values.pos, 'an index')
    return items.length === 1 && !comma ? items[0]! : tuple(items)
  }

  /** `(a, k = b)`, consumed. */
  private arguments(): Pick<Call, 'args' | 'kwargs'> {
    const { values } = this
    const { text, end } = values
    values.pos++
    const args: Arg[] = []
    let kwargs: Map<string, Arg> | null = null
    while (values.peek() !== 41) {
      const start = values.pos
      const stop = wordEnd(text, start, end)
      const after = stop > start ? skipSpaces(text, stop, end) : stop
      if (stop > start && text.charCodeAt(after) === 61 && text.charCodeAt(after + 1) !== 61) {
        values.pos = after + 1
        kwargs ??= new Map()
        kwargs.set(text.slice(start, stop), values.value())
      } else args.push(values.value())
      if (values.peek() !== 44) break
      values.pos++
    }
    values.expect(41, '"," or ")"')
    return { args, kwargs: kwargs ?? NO_KWARGS }
  }

  /** Consumes the operator characters at the cursor, except the sign of a following number. */
  private sign(): string {
    const { values } = this
    values.peek()
    const { text } = values
    for (const size of [3, 2, 1]) {
      const sign = text.slice(values.pos, values.pos + size)
      if (BINARY.has(sign) || INPLACE.has(sign)) {
        values.pos += size
        return sign
      }
    }
    return ''
  }
}
