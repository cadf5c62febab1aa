/** The header of a `.wgsl` file: comment lines at its top that say which operator it computes, and over what. */
import type { Problem } from '../../fx'
import { dtypeInfo, type DTypeName } from '../../ops/dtype'
import { writtenBy, type Kernel } from '../../ops/kernel'
import { ExprError, parseExpr, type Expr } from './kernel_expr'

export interface KernelFile {
  name: string
  text: string
}

/** An expression with where it stands, so that what fails later points there. */
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
  /** Of an operator that is not known here: its arguments in schema order. */
  args: string[]
  outs: Out[]
  constants: { name: string; value: Placed }[]
  dispatch: Placed[]
  /** Dtypes whose conversions the shader asks for. */
  uses: DTypeName[]
}

interface Line {
  key: string
  value: string
  line: number
  column: number
}

const KEYS = ['op', 'bindings', 'args', 'out', 'const', 'dispatch', 'use'] as const

/** @param kernelOf the operator as it is known here, to be replaced; null for a new one */
export function readHeader(
  file: KernelFile,
  kernelOf: (target: string) => Kernel | null,
): { header: Header | null; base: Kernel | null; problems: Problem[] } {
  const problems: Problem[] = []
  const bad = (line: number, column: number, message: string): void =>
    void problems.push({ file: file.name, line, column, message })
  const lines = headerLines(file.text)
  const one = (key: (typeof KEYS)[number]): Line | undefined => lines.find((l) => l.key === key)
  const list = (l: Line | undefined): string[] => l?.value.split(/[\s,]+/).filter(Boolean) ?? []

  const op = one('op')
  if (!op || !/^\w+\.\w+(\.\w+)?$/.test(op.value)) {
    bad(op?.line ?? 1, op?.column ?? 1, 'Say at the top which operator this computes: // op: _C.silu_and_mul')
    return { header: null, base: null, problems }
  }
  const name = op.value.split('.').slice(0, 2).join('.')
  const base = kernelOf(name)
  const args = list(one('args'))
  const declared = declarations(file.text)
  const bindingLine = one('bindings')
  const names = list(bindingLine)
  if (!bindingLine || names.length === 0)
    bad(bindingLine?.line ?? op.line, 1, 'Name the tensors in the order of their @binding: // bindings: input, out')
  const outNames = lines.filter((l) => l.key === 'out').map((l) => /^\w+/.exec(l.value)?.[0] ?? '')
  const tensors = new Set(base ? tensorsOf(base) : [...names, ...outNames])
  const written = new Set(base ? writtenBy(base) : outNames)
  const values = new Set(
    base
      ? base.params.filter((p) => p.kind === 'attr' || p.scalar).map((p) => p.name)
      : args.filter((a) => !tensors.has(a)),
  )
  if (base)
    for (const l of lines)
      if (l.key === 'args' || l.key === 'out')
        bad(l.line, 1, `${name} is known here with its arguments, so \`${l.key}:\` does not belong`)

  const bindings = names.map((n, i) => {
    const at = {
      line: bindingLine!.line,
      column: bindingLine!.column + Math.max(0, bindingLine!.value.search(new RegExp(`\\b${n}\\b`))),
    }
    const d = declared.find((x) => x.binding === i)
    if (!tensors.has(n)) bad(at.line, at.column, `${name} has no tensor \`${n}\`; it has ${[...tensors].join(', ')}`)
    if (!d) bad(at.line, at.column, `The shader declares no @group(0) @binding(${i}) for \`${n}\``)
    else if (d.access === 'read' && written.has(n))
      bad(d.line, d.column, `\`${n}\` is written: declare var<storage, read_write>`)
    else if (d.access === 'read_write' && !written.has(n))
      bad(d.line, d.column, `\`${n}\` is only read: declare var<storage, read>`)
    return { name: n, access: d?.access ?? ('read' as const) }
  })
  for (const d of declared)
    if (d.binding >= names.length && names.length > 0)
      bad(d.line, d.column, `The header names ${names.length} bindings, so there is nothing to bind here`)

  const constantNames = new Set<string>()
  const known = (n: string): 'tensor' | 'value' | null =>
    constantNames.has(n) || values.has(n) ? 'value' : tensors.has(n) ? 'tensor' : null
  const place = (text: string, line: number, column: number): Placed[] => {
    try {
      return [{ expr: parseExpr(text, known), line, column }]
    } catch (e) {
      if (!(e instanceof ExprError)) throw e
      bad(line, column + e.at, `${e.message.charAt(0).toUpperCase()}${e.message.slice(1)}`)
      return []
    }
  }

  const constants = lines.flatMap((l): Header['constants'] => {
    if (l.key !== 'const') return []
    const m = /^([A-Za-z_]\w*)\s*=\s*/.exec(l.value)
    if (!m) {
      bad(l.line, l.column, 'A constant is a name, an equals sign and an expression: // const: D = size(input, -1)')
      return []
    }
    const [value] = place(l.value.slice(m[0].length), l.line, l.column + m[0].length)
    constantNames.add(m[1]!)
    return value ? [{ name: m[1]!, value }] : []
  })
  const outs = lines.flatMap((l): Out[] => {
    if (l.key !== 'out') return []
    const m = /^(\w+)\s*=\s*\[(.*)\]\s*(\w+)?$/.exec(l.value)
    const dtype = m?.[3] ? dtypeInfo(m[3]) : null
    if (!m || (m[3] && !dtype)) {
      bad(
        l.line,
        l.column,
        m
          ? `There is no dtype ${m[3]}`
          : 'An output is a name, a shape and a dtype: // out: result = [size(input, 0), 64] f32',
      )
      return []
    }
    return [
      {
        name: m[1]!,
        shape: placeList(m[2]!, l.line, l.column + l.value.indexOf('[') + 1, place),
        dtype: dtype?.name ?? null,
      },
    ]
  })
  if (!base && outs.length === 0)
    bad(
      op.line,
      op.column,
      `${name} is not known here: say what it writes, // out: result = [size(input, 0), 64] f32, and its arguments, // args: result, input`,
    )

  const dispatchLine = one('dispatch')
  const dispatch = dispatchLine ? placeList(dispatchLine.value, dispatchLine.line, dispatchLine.column, place) : []
  if (!dispatchLine) bad(op.line, 1, 'Say how many workgroups to start: // dispatch: ceil(numel(out) / 64)')
  else if (dispatch.length > 3) bad(dispatchLine.line, dispatchLine.column, 'A dispatch has at most three sizes')
  const useLine = one('use')
  const uses = list(useLine).flatMap((u): DTypeName[] => {
    const d = dtypeInfo(u)
    if (!d) bad(useLine!.line, useLine!.column, `There is no dtype ${u}`)
    return d ? [d.name] : []
  })
  if (!/\bfn\s+main\s*\(/.test(file.text))
    bad(1, 1, 'The entry point is called main: @compute @workgroup_size(64) fn main(…)')
  return { header: { op: name, opLine: op.line, bindings, args, outs, constants, dispatch, uses }, base, problems }
}

/** Tensors that a shader of the operator may bind: what a mutated argument becomes is called `NAME_out`. */
const tensorsOf = (kernel: Kernel): string[] =>
  kernel.params.flatMap((p) => (p.kind === 'attr' ? [] : p.kind === 'inout' ? [p.name, `${p.name}_out`] : [p.name]))

/** `key: value` comments before the first line of code. */
function headerLines(text: string): Line[] {
  const found: Line[] = []
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    if (!/^\s*\/\//.test(line)) break
    const m = /^(\s*\/\/\s*(\w+)\s*:\s*)(.*?)\s*$/.exec(line)
    if (m && (KEYS as readonly string[]).includes(m[2]!))
      found.push({ key: m[2]!, value: m[3]!, line: i + 1, column: m[1]!.length + 1 })
  }
  return found
}

/** Expressions with commas between, commas inside parentheses aside. */
function placeList(
  text: string,
  line: number,
  column: number,
  place: (t: string, l: number, c: number) => Placed[],
): Placed[] {
  const found: Placed[] = []
  let depth = 0
  let from = 0
  for (let i = 0; i <= text.length; i++) {
    const c = text[i]
    if (c === '(') depth++
    else if (c === ')') depth--
    else if (c === undefined || (c === ',' && depth === 0)) {
      const part = text.slice(from, i)
      const lead = part.length - part.trimStart().length
      found.push(...place(part.trim(), line, column + from + lead))
      from = i + 1
    }
  }
  return found
}

/** Storage buffers of the shader, by binding. */
function declarations(
  text: string,
): { binding: number; access: 'read' | 'read_write'; line: number; column: number }[] {
  const code = text.replace(/\/\/[^\n]*/g, (c) => ' '.repeat(c.length))
  return [
    ...code.matchAll(/@binding\(\s*(\d+)u?\s*\)[^;{}]*?var\s*<\s*storage\s*(?:,\s*(read_write|read|write)\s*)?>/g),
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
