/** Reads patterns in PatternPrettyPrinter's notation, so that test fixtures are text. */
import { device, dtype, layout, memoryFormat, opRef, tuple, type Arg as FxArg } from '../../fx'
import {
  Arg,
  CallFunction,
  ExclusiveKeywordArg,
  Ignored,
  KeywordArg,
  ListOf,
  MultiOutputPattern,
  PatternExpr,
  RepeatedExpr,
  TargetExpr,
  type PatternArg,
  type Users,
} from '../expr'

/** The pattern named `output` among lines of `name = CallFunction(…)`. A name used twice is one object. */
export function patternFromText(text: string): PatternExpr {
  const reader = new Reader(text)
  const names = new Map<string, PatternExpr>()
  for (;;) {
    const name = reader.take(/\s*(\w+) = /y)
    if (name === null) break
    names.set(name, reader.value(names) as PatternExpr)
  }
  return names.get('output')!
}

const MEMORY_FORMATS = new Set(['contiguous_format', 'preserve_format', 'channels_last', 'channels_last_3d'])

class Reader {
  private at = 0

  constructor(private readonly text: string) {}

  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    const m = pattern.exec(this.text)
    if (!m) return null
    this.at = pattern.lastIndex
    return m[1] ?? m[0]
  }

  value(names: ReadonlyMap<string, PatternExpr>): PatternArg {
    this.take(/\s*/y)
    if (this.take(/\*/y)) return new Ignored()
    const op = this.take(/<OpOverload\(op='[\w.]+', overload='\w+'\)>/y)
    if (op) return opRef(op.replace(/<OpOverload\(op='([\w.]+)', overload='(\w+)'\)>/, '$1.$2'))
    const device_ = this.take(/device\(type='(\w+)'\)/y)
    if (device_) return device(device_)
    if (this.take(/\[/y)) return { kind: 'pattern_list', items: this.items(names, ']') }
    if (this.take(/\(/y)) return tuple(this.items(names, ')') as FxArg[])
    const string = this.take(/'([^']*)'/y)
    if (string !== null) return string
    const number = this.take(/-?(?:\d[\d.]*(?:e[-+]?\d+)?|inf)/y)
    if (number) return /^-?\d+$/.test(number) ? BigInt(number) : Number(number.replace('inf', 'Infinity'))
    const cls = this.take(/([A-Z]\w+)\(/y)
    if (cls) return this.expr(cls, names)
    return this.name(this.take(/[\w.]+/y)!, names)
  }

  private name(word: string, names: ReadonlyMap<string, PatternExpr>): PatternArg {
    if (word === 'True' || word === 'False') return word === 'True'
    if (word === 'None') return null
    if (word.startsWith('torch.')) {
      const short = word.slice('torch.'.length)
      if (short === 'strided') return layout(short)
      return MEMORY_FORMATS.has(short) ? memoryFormat(short) : dtype(short)
    }
    // Keyword arguments inside a list print by str: `device=cpu`, `reduce=sum`.
    return names.get(word) ?? (/^(cpu|cuda|xpu|npu|meta)$/.test(word) ? device(word) : word)
  }

  private items(names: ReadonlyMap<string, PatternExpr>, close: string): PatternArg[] {
    const items: PatternArg[] = []
    for (this.take(/\s*/y); this.text[this.at] !== close; this.take(/,?\s*/y)) items.push(this.value(names))
    this.at++
    return items
  }

  private expr(cls: string, names: ReadonlyMap<string, PatternExpr>): PatternExpr {
    const fn = cls === 'CallFunction' ? target(this.take(/([\w.]+)(?:, )?/y)!) : ''
    const args: PatternArg[] = []
    const kwargs = new Map<string, PatternArg>()
    for (this.take(/\s*/y); this.text[this.at] !== ')'; this.take(/,?\s*/y)) {
      const key = this.take(/(\w+)=/y)
      if (key === '_users' && this.take(/MULTIPLE/y)) kwargs.set(key, 'MULTIPLE')
      else if (key !== null) kwargs.set(key, this.value(names))
      else args.push(this.value(names))
    }
    this.at++
    const users = kwargs.get('_users') ?? 1n
    kwargs.delete('_users')
    const name = args[0] as string
    switch (cls) {
      case 'Arg':
        return new Arg()
      case 'Ignored':
        return new Ignored()
      case 'KeywordArg':
        return this.shared(cls, name, () => new KeywordArg(name))
      case 'ExclusiveKeywordArg':
        return this.shared(cls, name, () => new ExclusiveKeywordArg(name))
      case 'ListOf':
        return new ListOf(args[0] as PatternExpr, kwargs.get('partial') === true)
      case 'RepeatedExpr':
        return new RepeatedExpr(args[0] as TargetExpr)
      case 'MultiOutputPattern':
        return new MultiOutputPattern((args[0] as { items: readonly (PatternExpr | null)[] }).items)
      case 'CallFunction':
        return new CallFunction([fn], args, kwargs, typeof users === 'bigint' ? Number(users) : (users as Users))
      default:
        throw new Error(`no ${cls} in pattern texts`)
    }
  }

  /** A traced pattern has one object per argument. */
  private readonly args = new Map<string, PatternExpr>()
  private shared(cls: string, name: string, make: () => PatternExpr): PatternExpr {
    const key = `${cls} ${name}`
    let expr = this.args.get(key)
    if (!expr) this.args.set(key, (expr = make()))
    return expr
  }
}

const target = (name: string): string => (name.includes('.') ? name : `higher_order.${name}`)
