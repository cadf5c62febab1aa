/** Reads an operator schema: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`. */
import { memoryFormat, type Arg } from '../../fx'
import { TorchError } from '../torch_error'
import type { OpSchema, SchemaArg, SchemaType } from './types'

/** Types that TorchScript knows; any other type in a user's schema is an error. */
const TYPES = new Set(
  `Tensor int SymInt float SymFloat bool SymBool Scalar number str ScalarType Device DeviceIndex Layout MemoryFormat Generator
   Dimname Stream Storage complex Any t t1 t2 tb AnyEnumType NoneType QScheme Dict`.split(/\s+/),
)

class Reader {
  at = 0
  constructor(readonly text: string) {}

  skip(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++
  }

  peek(token: string): boolean {
    this.skip()
    return this.text.startsWith(token, this.at)
  }

  eat(token: string): boolean {
    if (!this.peek(token)) return false
    this.at += token.length
    return true
  }

  need(token: string): void {
    if (!this.eat(token)) this.fail(`expected ${token === '->' ? 'arrow' : token} but found '${this.kind()}' here`)
  }

  word(what: string): string {
    this.skip()
    const word = /^[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*/.exec(this.text.slice(this.at))?.[0]
    if (!word) return this.fail(`expected ${what} but found '${this.kind()}' here`)
    this.at += word.length
    return word
  }

  /** The next token's text; '' at the end. */
  found(): string {
    this.skip()
    return /^(?:\w+|->|\S)/.exec(this.text.slice(this.at))?.[0] ?? ''
  }

  /** The next token by the name that PyTorch's lexer gives it. */
  kind(): string {
    const found = this.found()
    if (found === '') return 'eof'
    if (found === '->') return 'arrow'
    return /^\d/.test(found) ? 'number' : /^\w/.test(found) ? 'ident' : found
  }

  /** The error that torch.library raises for a malformed schema: the text, with the position marked below it. */
  fail(message: string): never {
    const marks = `${' '.repeat(this.at)}${'~'.repeat(Math.max(1, this.found().length))} <--- HERE`
    throw new TorchError('RuntimeError', `${message}:\n${this.text}\n${marks}\n`)
  }
}

/**
 * @param ns namespace; `null` reads it from the text (`aten::add(…)`)
 * @throws TorchError RuntimeError for a malformed schema
 */
export function parseSchema(ns: string | null, text: string): OpSchema {
  const r = new Reader(text.trim())
  let name = r.word('an operator name')
  let space = ns
  if (r.eat('::')) {
    space = name
    name = r.word('an operator name')
  }
  if (r.found() === '')
    throw new TorchError('RuntimeError', 'Tried to parse a function schema but only the operator name was given')
  const [op, overload = 'default'] = splitName(name)
  r.need('(')
  const args: SchemaArg[] = []
  let kwargOnly = false
  if (!r.eat(')')) {
    do {
      if (r.eat('...')) continue
      if (r.eat('*')) {
        kwargOnly = true
        continue
      }
      args.push(readArg(r, kwargOnly, args.length))
    } while (r.eat(','))
    r.need(')')
  }
  r.need('->')
  const returns: SchemaType[] = []
  if (r.eat('(')) {
    if (!r.eat(')')) {
      do {
        if (r.eat('...')) continue
        returns.push(readReturn(r))
      } while (r.eat(','))
      r.need(')')
    }
  } else if (!r.eat('...')) returns.push(readReturn(r))
  if (r.found() !== '') r.fail(`expected eof but found '${r.kind()}' here`)
  return {
    name: `${space}.${op}.${overload}`,
    args,
    returns,
    mutable: args.some((a) => a.type.write),
    text: r.text,
  }
}

function splitName(name: string): [string, string?] {
  const dot = name.indexOf('.')
  return dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)]
}

function readArg(r: Reader, kwargOnly: boolean, index: number): SchemaArg {
  const type = readType(r)
  r.skip()
  const name = /[A-Za-z_]/.test(r.text[r.at] ?? '') ? r.word('a name') : `_${index}`
  const facts = { name, type, kwargOnly, written: type.write, aliased: type.alias !== null }
  if (!r.eat('=')) return { ...facts, hasDefault: false, default: undefined }
  return { ...facts, hasDefault: true, default: readDefault(r, type) }
}

function readReturn(r: Reader): SchemaType {
  const type = readType(r)
  r.skip()
  if (/[A-Za-z_]/.test(r.text[r.at] ?? '')) r.word('a name')
  return type
}

function readType(r: Reader): SchemaType {
  r.skip()
  const start = r.at
  let base: string
  if (r.eat('(')) {
    // A tuple type; no operator on tensors takes one, returns may nest it.
    do readType(r)
    while (r.eat(','))
    r.need(')')
    base = 'Any'
  } else base = r.word('a type')
  if (base === 'Dict' && r.eat('(')) {
    readType(r)
    r.need(',')
    readType(r)
    r.need(')')
  }
  if (!TYPES.has(base) && !base.includes('.')) {
    r.at = start
    r.fail(
      '\nunknown type specifier. Common valid schema types include Tensor, SymInt, int, float, bool, Scalar; for a full ' +
        'list, please see https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/README.md#func ',
    )
  }
  let alias: string | null = null
  let write = false
  let list: number | null = null
  let itemOptional = false
  let optional = false
  for (;;) {
    r.skip()
    if (r.text[r.at] === '(') {
      const m = /^\(([^()]*)\)/.exec(r.text.slice(r.at))
      if (!m) r.fail('expected an alias annotation')
      alias = m![1]!.replace(/[!\s].*$/, '')
      write ||= m![1]!.includes('!')
      r.at += m![0].length
    } else if (r.text[r.at] === '!') {
      // `Tensor! out`: an alias set of its own.
      write = true
      alias = '!'
      r.at++
    } else if (r.text[r.at] === '?') {
      optional = true
      r.at++
    } else if (r.text[r.at] === '[') {
      const m = /^\[(\d*)\]/.exec(r.text.slice(r.at))
      if (!m) r.fail(`expected ] but found '${r.kind()}' here`)
      itemOptional = optional
      optional = false
      list = m![1] === '' ? 0 : Number(m![1])
      r.at += m![0].length
    } else break
  }
  return { base, optional, list, itemOptional, alias, write }
}

function readDefault(r: Reader, type: SchemaType): Arg {
  r.skip()
  if (r.eat('[')) {
    const items: Arg[] = []
    if (!r.eat(']')) {
      do items.push(readDefault(r, { ...type, list: null }))
      while (r.eat(','))
      r.need(']')
    }
    return items
  }
  const rest = r.text.slice(r.at)
  const string = /^"((?:[^"\\]|\\.)*)"|^'((?:[^'\\]|\\.)*)'/.exec(rest)
  if (string) {
    r.at += string[0].length
    return (string[1] ?? string[2])!.replace(/\\(.)/g, '$1')
  }
  const number = /^[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|inf|nan)/.exec(rest)
  if (number) {
    r.at += number[0].length
    return numberDefault(number[0], type)
  }
  const word = r.word('a default value')
  if (word === 'None') return null
  if (word === 'True' || word === 'False') return word === 'True'
  if (word === 'Mean' || word === 'Sum') return word === 'Mean' ? 1n : 2n
  if (word.endsWith('_format')) return memoryFormat(word)
  if (type.base === 'int') return 0n
  return word
}

/** The registry prints formats by number. */
const FORMATS = ['contiguous_format', 'preserve_format', 'channels_last', 'channels_last_3d']

function numberDefault(text: string, type: SchemaType): Arg {
  if (type.base === 'MemoryFormat') return memoryFormat(FORMATS[Number(text)] ?? 'contiguous_format')
  const fractional = /[.eE]|inf|nan/.test(text)
  if (type.base === 'float' || fractional)
    return text.endsWith('inf') ? (text[0] === '-' ? -Infinity : Infinity) : Number(text)
  return BigInt(text)
}
