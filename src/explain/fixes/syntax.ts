/** A Python file's syntax tree from Python's own ast, with offsets into the text. */

/**
 * The form that the Python host returns (src/python/types.ts): [type, [line, column, end line, end column] | null,
 * fields].
 */
export type SyntaxData = readonly (readonly [
  string,
  readonly [number, number, number, number] | null,
  Readonly<Record<string, unknown>>,
])[]

export interface SyntaxNode {
  /** `Call`, `BinOp`, `FunctionDef`, … */
  type: string
  /** Offsets into the text; -1 if the node has no location. */
  from: number
  to: number
  /** From 1. */
  line: number
  fields: ReadonlyMap<string, Field>
  parent: SyntaxNode | null
}

export type Field = SyntaxNode | string | number | boolean | null | readonly Field[]

const OPERATIONS = new Set(['Call', 'BinOp', 'UnaryOp', 'Subscript', 'Attribute', 'Compare'])

export class SyntaxFile {
  readonly nodes: readonly SyntaxNode[]
  private readonly bySpan = new Map<string, SyntaxNode[]>()

  constructor(
    readonly name: string,
    readonly text: string,
    data: SyntaxData,
  ) {
    const offset = offsets(text)
    const nodes = data.map(([type, span]): SyntaxNode & { fields: Map<string, Field> } => ({
      type,
      from: span ? offset(span[0], span[1]) : -1,
      to: span ? offset(span[2], span[3]) : -1,
      line: span?.[0] ?? 0,
      fields: new Map(),
      parent: null,
    }))
    data.forEach(([, span, fields], i) => {
      const node = nodes[i]!
      const read = (value: unknown): Field => {
        if (Array.isArray(value)) return (value as unknown[]).map(read)
        if (typeof value === 'object' && value !== null) {
          const child = nodes[(value as { n: number }).n]!
          child.parent = node
          return child
        }
        return value as Field
      }
      for (const [key, value] of Object.entries(fields)) node.fields.set(key, read(value))
      if (!span) return
      const key = span.join(':')
      const same = this.bySpan.get(key)
      if (same) same.push(node)
      else this.bySpan.set(key, [node])
    })
    this.nodes = nodes
  }

  /** The operation at a span, as recorded on traced nodes. */
  at(span: readonly [string, number, number, number, number]): SyntaxNode | null {
    const same = this.bySpan.get(span.slice(1).join(':')) ?? []
    return same.find((n) => OPERATIONS.has(n.type)) ?? same[0] ?? null
  }

  source(node: SyntaxNode): string {
    return this.text.slice(node.from, node.to)
  }

  of(type: string): SyntaxNode[] {
    return this.nodes.filter((n) => n.type === type)
  }
}

/** Converts lines (from 1) and columns (in UTF-8 bytes) to offsets into the text. */
function offsets(text: string): (line: number, column: number) => number {
  const starts = [0]
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1)
  return (line, column) => {
    const start = starts[line - 1] ?? text.length
    const end = starts[line] ?? text.length
    const plain = start + column
    // eslint-disable-next-line no-control-regex
    if (plain <= end && /^[\x00-\x7f]*$/.test(text.slice(start, plain))) return plain
    let bytes = 0
    let at = start
    while (at < end && bytes < column) {
      const code = text.codePointAt(at)!
      bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
      at += code < 0x10000 ? 1 : 2
    }
    return at
  }
}

export const nodeField = (n: SyntaxNode, key: string): SyntaxNode | null => {
  const value = n.fields.get(key)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as SyntaxNode) : null
}
export const listField = (n: SyntaxNode, key: string): SyntaxNode[] => {
  const value = n.fields.get(key)
  return Array.isArray(value)
    ? (value as Field[]).filter((v): v is SyntaxNode => typeof v === 'object' && v !== null)
    : []
}
export const textField = (n: SyntaxNode, key: string): string | null => {
  const value = n.fields.get(key)
  return typeof value === 'string' ? value : null
}

export function* ancestors(node: SyntaxNode): Generator<SyntaxNode> {
  for (let n = node.parent; n; n = n.parent) yield n
}

/** The node and all nodes below it, in unspecified order. */
export function* within(node: SyntaxNode): Generator<SyntaxNode> {
  yield node
  for (const value of node.fields.values()) yield* fieldNodes(value)
}
function* fieldNodes(value: Field): Generator<SyntaxNode> {
  if (Array.isArray(value)) for (const v of value as readonly Field[]) yield* fieldNodes(v)
  else if (typeof value === 'object' && value !== null) yield* within(value as SyntaxNode)
}

const FUNCTIONS = new Set(['FunctionDef', 'AsyncFunctionDef', 'Lambda'])
/** `x` in the call `x.f()`: a value or a module; null for other calls. */
export function objectOf(call: SyntaxNode): SyntaxNode | null {
  const func = nodeField(call, 'func')
  return func?.type === 'Attribute' ? nodeField(func, 'value') : null
}

/** The places below a node that read a variable, or those that assign to it. */
export const namesIn = (node: SyntaxNode, name: string | undefined, how: 'Load' | 'Store'): SyntaxNode[] =>
  [...within(node)].filter((n) => n.type === 'Name' && textField(n, 'id') === name && textField(n, 'ctx') === how)

export const isFunction = (n: SyntaxNode): boolean => FUNCTIONS.has(n.type)
export const functionAround = (node: SyntaxNode): SyntaxNode | null => {
  for (const n of ancestors(node)) if (isFunction(n)) return n
  return null
}

/** Positional parameters. */
export const paramsOf = (fn: SyntaxNode): SyntaxNode[] => {
  const args = nodeField(fn, 'args')
  return args ? [...listField(args, 'posonlyargs'), ...listField(args, 'args')] : []
}
export const paramNames = (fn: SyntaxNode): string[] => paramsOf(fn).map((p) => textField(p, 'arg') ?? '')

/** A constant's repr, including its sign; null for any other expression. */
export function constantRepr(n: SyntaxNode): string | null {
  if (n.type === 'Constant') return textField(n, 'repr')
  const operand = n.type === 'UnaryOp' && textField(n, 'op') === 'USub' ? nodeField(n, 'operand') : null
  const inner = operand && constantRepr(operand)
  return inner === null ? null : `-${inner}`
}

/** True if an expression needs no parentheses in any context: a call, a name, an index. */
export const isAtom = (n: SyntaxNode): boolean =>
  ['Call', 'Name', 'Subscript', 'Attribute', 'Constant', 'List', 'Dict'].includes(n.type)

/** The return statements of the function itself; the body for a lambda. */
export function returnsOf(fn: SyntaxNode): SyntaxNode[] {
  if (fn.type === 'Lambda') return []
  return [...within(fn)].filter((n) => n.type === 'Return' && functionAround(n) === fn)
}

/**
 * The values a function returns: the items of a tuple or list, or the single value; null if its returns are more
 * complex.
 */
export function returnedBy(fn: SyntaxNode): { whole: SyntaxNode; items: SyntaxNode[]; sequence: boolean } | null {
  const returns = returnsOf(fn)
  const whole =
    fn.type === 'Lambda' ? nodeField(fn, 'body') : returns.length === 1 ? nodeField(returns[0]!, 'value') : null
  if (!whole) return null
  const sequence = whole.type === 'Tuple' || whole.type === 'List'
  return { whole, items: sequence ? listField(whole, 'elts') : [whole], sequence }
}

/** `f` of `f(x)` and of `module.f(x)`. */
export function calledName(call: SyntaxNode): string | null {
  const func = nodeField(call, 'func')
  return func && (textField(func, 'id') ?? textField(func, 'attr'))
}
