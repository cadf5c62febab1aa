/** A captured PatternExpr as Python that builds it, one line per expression: an expression that occurs twice is one object. */
import { formatPython } from '../../fx'
import type { Json } from '../../python/wire'
import { argOf } from '../capture/graphs'
import type { Fields } from '../capture/types'
import { calleeCode } from './graph_code'
import { literal } from './python_text'

/** Classes of the user's own, and values that only the process had. */
const UNAVAILABLE = new Set(['User', 'GetAttr'])

/** Lines that end with `return`; null for a pattern with a class that has no code. */
export function patternCode(pattern: Fields): string[] | null {
  const writer = new PatternWriter()
  const root = writer.expression(pattern)
  return writer.complete ? [...writer.lines, `return ${root}`] : null
}

class PatternWriter {
  readonly lines: string[] = []
  complete = true

  expression(p: Fields): string {
    const name = `p${String(p.id)}`
    if (p.expr === 'ref') return name
    if (UNAVAILABLE.has(String(p.expr))) this.complete = false
    this.lines.push(`${name} = ${String(p.expr)}(${this.parameters(p).join(', ')})`)
    return name
  }

  private parameters(p: Fields): string[] {
    switch (p.expr) {
      case 'KeywordArg':
      case 'ExclusiveKeywordArg':
        return [literal(p.name)]
      case 'ListOf':
        return [this.expression(fieldsOf(p.pattern)), `partial=${literal(p.partial)}`]
      case 'RepeatedExpr':
        return [this.expression(fieldsOf(p.pattern))]
      case 'MultiOutputPattern':
        return [`[${listOf(p.outputs).map((o) => (o === null ? 'None' : this.expression(fieldsOf(o))))}]`]
      default:
        return Array.isArray(p.fns) ? this.call(p) : []
    }
  }

  private call({ expr, fns, args, kwargs, users }: Fields): string[] {
    const isFunction = String(expr).startsWith('CallFunction')
    const targets = listOf(fns).map((f) => (isFunction ? calleeCode(String(f)) : literal(f)))
    const named = listOf(kwargs).map((pair) => {
      const [key, value] = listOf(pair)
      return `${String(key)}=${this.argument(fieldsOf(value))}`
    })
    const positional = listOf(args).map((a) => this.argument(fieldsOf(a)))
    const readers = users === 'MULTIPLE' ? ['_users=MULTIPLE'] : users === 1 ? [] : [`_users=${literal(users)}`]
    return [targets.length === 1 ? targets[0]! : `[${targets.join(', ')}]`, ...positional, ...named, ...readers]
  }

  private argument(arg: Fields): string {
    if (arg.pattern !== undefined) return this.expression(fieldsOf(arg.pattern))
    const items = (list: Json | undefined) => listOf(list).map((a) => `${this.argument(fieldsOf(a))}, `)
    if (arg.list !== undefined) return `[${items(arg.list).join('')}]`
    if (arg.tuple !== undefined) return `(${items(arg.tuple).join('')})`
    if (arg.dict !== undefined)
      return `{${listOf(arg.dict)
        .map((pair) => `${literal(listOf(pair)[0])}: ${this.argument(fieldsOf(listOf(pair)[1]))}`)
        .join(', ')}}`
    return formatPython(argOf(arg.value ?? null, new Map()))
  }
}

const listOf = (v: Json | undefined): readonly Json[] => (Array.isArray(v) ? v : [])
const fieldsOf = (v: Json | undefined): Fields => (typeof v === 'object' && v !== null && !Array.isArray(v) ? v : {})
