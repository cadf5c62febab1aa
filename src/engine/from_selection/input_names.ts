/** Names parameters after the operators' schemas, and local variables after the graph's nodes. */
import type { Node } from '../../fx'
import { KEYWORDS } from '../../fx/code/code'
import type { SchemaLookup } from '../../matcher'

/** Python's keywords and the names that the file defines or imports. */
const RESERVED = new Set([
  ...KEYWORDS,
  ...(
    'self cls torch operator math match graph fused results node result pattern patterns replacement expression inf nan ' +
    'auto_functionalized auto_functionalized_v2 device print len min max sum pow abs all any round range slice type id ' +
    'sorted filter map zip next iter hash repr tuple list dict set int float bool str complex builtins getattr ' +
    'Arg CallFunction CallMethod ExclusiveKeywordArg Ignored KeywordArg MULTIPLE MultiOutputPattern'
  ).split(' '),
])

export const isReserved = (name: string): boolean => RESERVED.has(name)

/** `mul_24` → `mul`, `sum_1` → `sum_`. */
export const localName = (node: Node): string => {
  const base = node.name.replace(/_\d+$/, '').replace(/\W/g, '_')
  return isReserved(base) ? `${base}_` : base
}

/** Makes each name unique: `x`, `x2`, `x3`. */
export class Names {
  private readonly taken = new Set<string>()

  take(wanted: string): string {
    const base = /^(?!__)[A-Za-z_]\w*$/.test(wanted) && !RESERVED.has(wanted) ? wanted : 'x'
    let name = base
    for (let n = 2; this.taken.has(name); n++) name = `${base}${/\d$/.test(base) ? '_' : ''}${n}`
    this.taken.add(name)
    return name
  }
}

export class InputNames {
  private readonly names = new Names()

  constructor(private readonly schemaOf: SchemaLookup) {}

  /** @param path position or keyword of the argument of `user` that reads the input */
  take(user: Node, path: number | string): string {
    return this.names.take(parameterName(user, path, this.schemaOf))
  }
}

/** The name of an argument in the operator's schema; `x` for `self` and if there is no schema. */
export function parameterName(user: Node, path: number | string, schemaOf: SchemaLookup): string {
  if (typeof path === 'string') return path === '_all_bases' ? 'base' : path.replace(/^_+|_+$/g, '')
  const name = user.op === 'call_function' ? schemaOf(user.target)?.args[path]?.name : undefined
  if (name === undefined || name === 'self') return 'x'
  // An argument such as `tensors` holds several tensors; each input is one of them.
  return /[^s]s$/.test(name) && ['tensors', 'indices', 'mats'].includes(name) ? name.replace(/s$/, '') : name
}
