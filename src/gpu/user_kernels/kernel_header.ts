/** The header of a `.wgsl` file: comment lines at the top that declare the operator and its bindings. */
import type { Problem } from '../../fx'
import { dtypeInfo, type DTypeName } from '../../ops/dtype'
import { writtenBy, type Kernel } from '../../ops/kernel'
import { ExprError, parseExpr, type Expr, type NameKind } from './kernel_expr'

export interface KernelFile {
  name: string
  text: string
}

/** An expression with its position, for errors during evaluation. */
export interface Placed {
  expr: Expr
  line: number
  /** Column of its first character, from 1. */
  column: number
}

export interface Out {
  name: string
  shape: Placed[]
  dtype: DTypeName | null
}

export interface Header {
  /** `_C.silu_and_mul`: without overload. */
  op: string
  opLine: number
  /** Tensors in the order of their @binding. */
  bindings: { name: string; access: 'read' | 'read_write' }[]
  /** For an unknown operator: its arguments in schema order. */
  args: string[]
  outs: Out[]
  constants: { name: string; value: Placed }[]
  dispatch: Placed[]
  /** Dtypes whose conversion functions the shader requests. */
  uses: DTypeName[]
}

interface Line {
  key: string
  value: string
  line: number
  column: number
}

const KEYS = ['op', 'bindings', 'args', 'out', 'const', 'dispatch', 'use'] as const
type Key = (typeof KEYS)[number]

/** @param kernelOf the known operator that is replaced; null for a new one */
export function readHeader(
  file: KernelFile,
  kernelOf: (target: string) => Kernel | null,
): { header: Header | null; base: Kernel | null; problems: Problem[] } {
  const problems: Problem[] = []
  const bad: Report = (line, column, message) => void problems.push({ file: file.name, line, column, message })
  const lines = headerLines(file.text)
  const op = lines.find((l) => l.key === 'op')
  if (!op || !/^\w+\.\w+(\.\w+)?$/.test(op.value)) {
    bad(op?.line ?? 1, op?.column ?? 1, 'Say at the top which operator this computes: // op: _C.silu_and_mul')
    return { header: null, base: null, problems }
  }
  const base = kernelOf(packetOf(op.value))
  return { header: new HeaderReader(file, lines, op, base, bad).read(), base, problems }
}

type Report = (line: number, column: number, message: string) => void

/** `_C.silu_and_mul.default` → `_C.silu_and_mul` */
const packetOf = (op: string): string => op.split('.').slice(0, 2).join('.')

/** Words of a line, separated by spaces or commas. */
const wordsOf = (l: Line | undefined): string[] => l?.value.split(/[\s,]+/).filter(Boolean) ?? []

/** Offset of a word in a line; the word is any text without spaces and commas. */
function wordAt(line: string, word: string): number {
  for (const m of line.matchAll(/[^\s,]+/g)) if (m[0] === word) return m.index
  return -1
}

/** Reads the keys of a header in order; reports each problem and continues. */
class HeaderReader {
  private readonly name: string
  private readonly args: string[]
  /** Names in the order of their @binding. */
  private readonly bound: string[]
  private readonly tensors: ReadonlySet<string>
  /** Tensors that the operator writes. */
  private readonly written: ReadonlySet<string>
  /** Arguments that are numbers, and constants read so far. */
  private readonly values: Set<string>

  constructor(
    private readonly file: KernelFile,
    private readonly lines: readonly Line[],
    private readonly op: Line,
    private readonly base: Kernel | null,
    private readonly bad: Report,
  ) {
    this.name = packetOf(op.value)
    this.args = wordsOf(this.one('args'))
    this.bound = wordsOf(this.one('bindings'))
    const outNames = lines.filter((l) => l.key === 'out').map((l) => /^\w+/.exec(l.value)?.[0] ?? '')
    this.tensors = new Set(base ? tensorsOf(base) : [...this.bound, ...outNames])
    this.written = new Set(base ? writtenBy(base) : outNames)
    this.values = new Set(
      base
        ? base.params.filter((p) => p.kind === 'attr' || p.scalar).map((p) => p.name)
        : this.args.filter((a) => !this.tensors.has(a)),
    )
  }

  read(): Header {
    const bindings = this.bindings()
    const constants = this.constants()
    const outs = this.outs()
    const dispatch = this.dispatch()
    const uses = this.uses()
    if (!/\bfn\s+main\s*\(/.test(this.file.text))
      this.bad(1, 1, 'The entry point is called main: @compute @workgroup_size(64) fn main(…)')
    return { op: this.name, opLine: this.op.line, bindings, args: this.args, outs, constants, dispatch, uses }
  }

  private one(key: Key): Line | undefined {
    return this.lines.find((l) => l.key === key)
  }

  private bindings(): Header['bindings'] {
    const { name, base, bound } = this
    const line = this.one('bindings')
    if (!line || bound.length === 0)
      this.bad(
        line?.line ?? this.op.line,
        1,
        'Name the tensors in the order of their @binding: // bindings: input, out',
      )
    if (base)
      for (const l of this.lines)
        if (l.key === 'args' || l.key === 'out')
          this.bad(l.line, 1, `${name} is known here with its arguments, so \`${l.key}:\` does not belong`)
    const declared = declarations(this.file.text)
    const bindings = bound.map((n, i) => this.binding(n, i, line!, declared))
    for (const d of declared)
      if (d.binding >= bound.length && bound.length > 0)
        this.bad(d.line, d.column, `The header names ${bound.length} bindings, so there is nothing to bind here`)
    return bindings
  }

  private binding(n: string, i: number, line: Line, declared: readonly Declaration[]): Header['bindings'][number] {
    const column = line.column + Math.max(0, wordAt(line.value, n))
    const d = declared.find((x) => x.binding === i)
    if (!this.tensors.has(n))
      this.bad(line.line, column, `${this.name} has no tensor \`${n}\`; it has ${[...this.tensors].join(', ')}`)
    if (!d) this.bad(line.line, column, `The shader declares no @group(0) @binding(${i}) for \`${n}\``)
    else if (d.access === 'read' && this.written.has(n))
      this.bad(d.line, d.column, `\`${n}\` is written: declare var<storage, read_write>`)
    else if (d.access === 'read_write' && !this.written.has(n))
      this.bad(d.line, d.column, `\`${n}\` is only read: declare var<storage, read>`)
    return { name: n, access: d?.access ?? ('read' as const) }
  }

  /** The expression; if it is wrong, an empty list, after reporting a problem. */
  private expression(text: string, line: number, column: number): Placed[] {
    const kindOf: NameKind = (n) => (this.values.has(n) ? 'value' : this.tensors.has(n) ? 'tensor' : null)
    try {
      return [{ expr: parseExpr(text, kindOf), line, column }]
    } catch (e) {
      if (!(e instanceof ExprError)) throw e
      this.bad(line, column + e.at, `${e.message.charAt(0).toUpperCase()}${e.message.slice(1)}`)
      return []
    }
  }

  /** Splits expressions at commas outside parentheses. */
  private expressions(text: string, line: number, column: number): Placed[] {
    return partsOf(text).flatMap(({ part, at }) => this.expression(part, line, column + at))
  }

  private constants(): Header['constants'] {
    return this.lines.flatMap((l): Header['constants'] => {
      if (l.key !== 'const') return []
      const m = /^([A-Za-z_]\w*)\s*=\s*/.exec(l.value)
      if (!m) {
        this.bad(
          l.line,
          l.column,
          'A constant is a name, an equals sign and an expression: // const: D = size(input, -1)',
        )
        return []
      }
      const [value] = this.expression(l.value.slice(m[0].length), l.line, l.column + m[0].length)
      this.values.add(m[1]!)
      return value ? [{ name: m[1]!, value }] : []
    })
  }

  private outs(): Out[] {
    const outs = this.lines.flatMap((l) => (l.key === 'out' ? this.out(l) : []))
    if (!this.base && outs.length === 0)
      this.bad(
        this.op.line,
        this.op.column,
        `${this.name} is not known here: say what it writes, // out: result = [size(input, 0), 64] f32, and its arguments, // args: result, input`,
      )
    return outs
  }

  private out(l: Line): Out[] {
    const m = /^(\w+)\s*=\s*\[(.*)\]\s*(\w+)?$/.exec(l.value)
    const dtype = m?.[3] ? dtypeInfo(m[3]) : null
    if (!m || (m[3] && !dtype)) {
      const form = 'An output is a name, a shape and a dtype: // out: result = [size(input, 0), 64] f32'
      this.bad(l.line, l.column, m ? `There is no dtype ${m[3]}` : form)
      return []
    }
    const shape = this.expressions(m[2]!, l.line, l.column + l.value.indexOf('[') + 1)
    return [{ name: m[1]!, shape, dtype: dtype?.name ?? null }]
  }

  private dispatch(): Placed[] {
    const line = this.one('dispatch')
    const dispatch = line ? this.expressions(line.value, line.line, line.column) : []
    if (!line) this.bad(this.op.line, 1, 'Say how many workgroups to start: // dispatch: ceil(numel(out) / 64)')
    else if (dispatch.length > 3) this.bad(line.line, line.column, 'A dispatch has at most three sizes')
    return dispatch
  }

  private uses(): DTypeName[] {
    const line = this.one('use')
    return wordsOf(line).flatMap((u): DTypeName[] => {
      const d = dtypeInfo(u)
      if (!d) this.bad(line!.line, line!.column, `There is no dtype ${u}`)
      return d ? [d.name] : []
    })
  }
}

/** Tensors that a shader of the operator may bind; the new value of a mutated argument is named `NAME_out`. */
const tensorsOf = (kernel: Kernel): string[] =>
  kernel.params.flatMap((p) => (p.kind === 'attr' ? [] : p.kind === 'inout' ? [p.name, `${p.name}_out`] : [p.name]))

/** `key: value` comments before the first line of code. */
function headerLines(text: string): Line[] {
  const found: Line[] = []
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    if (!/^\s*\/\//.test(line)) break
    const m = /^(\s*\/\/\s*(\w+)\s*:\s*)(.*\S)?\s*$/.exec(line)
    if (m && (KEYS as readonly string[]).includes(m[2]!))
      found.push({ key: m[2]!, value: m[3] ?? '', line: i + 1, column: m[1]!.length + 1 })
  }
  return found
}

/** Parts between commas outside parentheses; `at`: offset of each part in characters. */
function partsOf(text: string): { part: string; at: number }[] {
  const found: { part: string; at: number }[] = []
  let depth = 0
  let from = 0
  for (let i = 0; i <= text.length; i++) {
    const c = text[i]
    if (c === '(') depth++
    else if (c === ')') depth--
    else if (c === undefined || (c === ',' && depth === 0)) {
      const part = text.slice(from, i)
      found.push({ part: part.trim(), at: from + part.length - part.trimStart().length })
      from = i + 1
    }
  }
  return found
}

interface Declaration {
  binding: number
  access: 'read' | 'read_write'
  line: number
  column: number
}

/** Storage buffers of the shader, by binding. */
function declarations(text: string): Declaration[] {
  const code = text.replace(/\/\/[^\n]*/g, (c) => ' '.repeat(c.length))
  return [
    ...code.matchAll(
      /@binding\(\s*(\d+)u?\s*\)[^;{}]{0,300}?var\s*<\s*storage\s*(?:,\s*(read_write|read|write)\s*)?>/g,
    ),
  ].map((m) => {
    const before = code.slice(0, m.index).split('\n')
    return {
      binding: Number(m[1]),
      access: m[2] === 'read_write' || m[2] === 'write' ? ('read_write' as const) : ('read' as const),
      line: before.length,
      column: before.at(-1)!.length + 1,
    }
  })
}
