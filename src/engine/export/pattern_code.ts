/** A captured PatternExpr as Python that builds it, one line per expression: an expression that occurs twice is one object. */
import { orElse } from '../../base/or_else'
import { fields, list, text, type Fields, type Json } from '../../base/json'
import { code, identifier, joined, literal, MAX_NESTED, type Code } from '../../fx/code/code'
import { targetCode } from '../../fx/code/targets'
import { valueCode } from '../../fx/code/values'
import { argOf } from '../capture/graphs'
import { calleeCode, DATA_FORMS } from './graph_code'

/** PyTorch's classes of calls. The user's own classes, and values that existed only in the recorded process, have no code. */
const CALLS: ReadonlySet<string> = new Set(
  'CallFunction CallFunctionVarArgs CallMethod CallMethodVarArgs CallModule CallModuleVarArgs'.split(' '),
)
/** Calls inside calls: each gets a line of its own. */
const MAX_DEPTH = 1000

/** Lines that end with `return`; null for a pattern that has no code. */
export function patternCode(pattern: Fields): Code[] | null {
  const writer = new PatternWriter()
  const root = orElse(() => writer.expression(pattern, 0), null, NoCode)
  return root && [...writer.lines, code`return ${root}`]
}

class NoCode extends Error {}

function some<T>(value: T | null): T {
  if (value === null) throw new NoCode()
  return value
}

class PatternWriter {
  readonly lines: Code[] = []
  private readonly known = new Set<number>()

  expression(p: Fields, depth: number): Code {
    const { id } = p
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0 || depth > MAX_DEPTH) throw new NoCode()
    const name = some(identifier(`p${id}`))
    if (p.expr === 'ref') {
      if (!this.known.has(id)) throw new NoCode()
      return name
    }
    const made = this.construction(p, depth)
    this.known.add(id)
    this.lines.push(code`${name} = ${made}`)
    return name
  }

  private construction(p: Fields, depth: number): Code {
    const inner = (v: Json | undefined): Code => this.expression(fields(v), depth + 1)
    switch (p.expr) {
      case 'Arg':
        return code`Arg()`
      case 'Ignored':
        return code`Ignored()`
      case 'KeywordArg':
        return code`KeywordArg(${quoted(p.name)})`
      case 'ExclusiveKeywordArg':
        return code`ExclusiveKeywordArg(${quoted(p.name)})`
      case 'ListOf':
        return code`ListOf(${inner(p.pattern)}, partial=${literal(p.partial === true)})`
      case 'RepeatedExpr':
        return code`RepeatedExpr(${inner(p.pattern)})`
      case 'MultiOutputPattern':
        return code`MultiOutputPattern([${joined(list(p.outputs).map((o) => (o === null ? code`None` : inner(o))))}])`
      default:
        if (!CALLS.has(String(p.expr)) || !Array.isArray(p.fns)) throw new NoCode()
        return code`${some(identifier(String(p.expr)))}(${joined(this.call(p, depth))})`
    }
  }

  private call({ expr, fns, args, kwargs, users }: Fields, depth: number): Code[] {
    const isFunction = String(expr).startsWith('CallFunction')
    const targets = list(fns).map((f) => (isFunction ? calleeCode(some(text(f))) : quoted(f)))
    const seen = new Set<string>()
    const named = list(kwargs).map((pair) => {
      const [key, value] = list(pair)
      const word = some(identifier(String(key)))
      if (seen.has(word) || word === '_users' || word === 'fns') throw new NoCode()
      seen.add(word)
      return code`${word}=${this.argument(fields(value), depth)}`
    })
    const positional = list(args).map((a) => this.argument(fields(a), depth))
    const count = typeof users === 'number' && Number.isSafeInteger(users) ? users : 1
    const readers = users === 'MULTIPLE' ? [code`_users=MULTIPLE`] : count === 1 ? [] : [code`_users=${literal(count)}`]
    return [targets.length === 1 ? targets[0]! : code`[${joined(targets)}]`, ...positional, ...named, ...readers]
  }

  private argument(arg: Fields, depth: number, brackets = 0): Code {
    if (brackets > MAX_NESTED) throw new NoCode()
    if (arg.pattern !== undefined) return this.expression(fields(arg.pattern), depth + 1)
    const items = (given: Json | undefined): Code => {
      const all = list(given).map((a) => this.argument(fields(a), depth, brackets + 1))
      return joined(
        all.map((a) => code`${a}, `),
        '',
      )
    }
    if (arg.list !== undefined) return code`[${items(arg.list)}]`
    if (arg.tuple !== undefined) return code`(${items(arg.tuple)})`
    if (arg.dict !== undefined) {
      const entries = list(arg.dict).map((pair) => {
        const [key, value] = list(pair)
        return code`${quoted(key)}: ${this.argument(fields(value), depth, brackets + 1)}`
      })
      return code`{${joined(entries)}}`
    }
    // A pattern compares its constants: replacing a value that the file cannot hold would change the pattern.
    return some(
      valueCode(argOf(arg.value ?? null, new Map()), {
        ...DATA_FORMS,
        node: () => null,
        size: () => null,
        target: targetCode,
      }),
    )
  }
}

const quoted = (v: Json | undefined): Code => literal(some(text(v)))
