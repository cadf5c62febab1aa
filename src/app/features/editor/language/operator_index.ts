/** Operators by namespace, name and overload, from the lines of their schemas. */
export interface OperatorArgument {
  name: string
  /** As declared: `Scalar alpha=1`. */
  text: string
  kwargOnly: boolean
}

export interface OverloadFacts {
  /** `default` if the schema names no overload. */
  name: string
  /** As declared. */
  schema: string
  args: readonly OperatorArgument[]
}

export class OperatorIndex {
  /** Namespace → name → overloads. */
  private readonly table = new Map<string, Map<string, OverloadFacts[]>>()

  constructor(schemas: readonly string[]) {
    for (const schema of schemas) {
      const found = /^(\w+)::(\w+)(?:\.(\w+))?\(/.exec(schema)
      if (!found) continue
      const [, namespace = '', name = '', overload = 'default'] = found
      const names = this.table.get(namespace) ?? new Map<string, OverloadFacts[]>()
      this.table.set(namespace, names)
      const overloads = names.get(name) ?? []
      names.set(name, overloads)
      // The workspace's own schemas come first.
      if (!overloads.some((o) => o.name === overload))
        overloads.push({ name: overload, schema, args: argumentsOf(schema) })
    }
  }

  namespaces(): string[] {
    return [...this.table.keys()]
  }

  names(namespace: string): string[] {
    return [...(this.table.get(namespace)?.keys() ?? [])]
  }

  /** Tensor overloads first, overloads for TorchScript's scalars and lists last. */
  overloads(namespace: string, name: string): readonly OverloadFacts[] {
    const all = this.table.get(namespace)?.get(name) ?? []
    const ofTensors = (o: OverloadFacts): boolean => o.schema.includes('Tensor')
    return [...all.filter(ofTensors), ...all.filter((o) => !ofTensors(o))]
  }
}

function argumentsOf(schema: string): OperatorArgument[] {
  const body = schema.slice(schema.indexOf('(') + 1, schema.lastIndexOf(') ->'))
  const args: OperatorArgument[] = []
  let kwargOnly = false
  for (const text of splitTopLevel(body)) {
    if (text === '*') kwargOnly = true
    else if (text !== '') args.push({ name: /(\w+)(?:=.*)?$/.exec(text)?.[1] ?? text, text, kwargOnly })
  }
  return args
}

/** Splits at commas outside brackets. */
function splitTopLevel(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let i = 0; i <= text.length; i++) {
    const c = text[i]
    if (c === '(' || c === '[') depth++
    else if (c === ')' || c === ']') depth--
    else if (c === undefined || (c === ',' && depth === 0)) {
      parts.push(text.slice(from, i).trim())
      from = i + 1
    }
  }
  return parts
}
