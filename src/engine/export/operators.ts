/** Declares the operators that a workspace uses and a real PyTorch lacks: schemas of the catalog, and inferred ones. */
import type { Arg, Graph } from '../../fx'
import { code, identifier, joined, literal, type Code } from '../../fx/code/code'
import { targetCode } from '../../fx/code/targets'
import { valueCode } from '../../fx/code/values'
import { parseSchema, type OpSchema, type SchemaArg } from '../../ops/schema'
import type { Tracer } from '../../trace/types'
import { fakeExpression, type KnownCall } from './fake_formula'
import { inferredText } from './inferred_schema'
import { byName, callsIn, type OperatorCall } from './operator_calls'
import { DATA_FORMS } from './graph_code'

export interface OperatorsSource {
  tracer: Tracer
  graphs: readonly Graph[]
  observed: readonly OperatorCall[]
  /** Texts of the files; a cataloged operator that was only looked up is declared if they name it. */
  texts: readonly string[]
  /** True if the export must also declare what the workspace declares: it has no files. */
  declared?: boolean
}

/** PyTorch's own namespaces: every installation has their operators. */
const NATIVE = new Set(['aten', 'prims', 'prim', 'higher_order', 'inductor', '_c10d_functional', 'c10d', 'quantized'])

export function operatorLines({ tracer, graphs, observed, texts, declared = false }: OperatorsSource): {
  lines: Code[]
  notes: string[]
} {
  const calls = new Map<string, OperatorCall[]>()
  for (const call of [...graphs.flatMap(callsIn), ...observed])
    calls.set(call.target, [...(calls.get(call.target) ?? []), call])
  const words = new Set(texts.flatMap((t) => t.match(/[A-Za-z_]\w+/g) ?? []))
  for (const packet of tracer.usage.lookedUp) {
    if (!words.has(packet.split('.')[1]!)) continue
    for (const target of tracer.overloadsOf(packet)) if (!calls.has(target)) calls.set(target, [])
  }
  const lines: Code[] = []
  const notes: string[] = []
  for (const target of [...calls.keys()].sort()) {
    // A name that Python cannot express becomes a placeholder in the graph, not an operator.
    if (NATIVE.has(target.split('.')[0]!) || targetCode(target) === null) continue
    const line = declaration(target, calls.get(target)!.map(named), { tracer, notes, declared })
    if (line !== null) lines.push(line)
  }
  return { lines, notes }
}

/** Null for an operator that PyTorch has, or that the files declare. */
function declaration(
  target: string,
  calls: readonly OperatorCall[],
  { tracer, notes, declared: all }: { tracer: Tracer; notes: string[]; declared: boolean },
): Code | null {
  const declared = tracer.usage.declarationOf(target)
  const elsewhere = declared && (declared.byUser || (declared.schema && !declared.schema.source))
  if (!declared || (elsewhere && !(all && declared.byUser))) return null
  const [ns] = target.split('.') as [string]
  // A cataloged schema's text names its namespace.
  const text = declared.schema?.text.replace(/^\w+::/, '') ?? inferredText(target, calls)
  const title = `${ns}::${text.slice(0, text.indexOf('('))}`
  if (!declared.schema) notes.push(`The schema of ${title} is inferred from its calls, because nothing declares it.`)
  const schema = declared.schema ?? parseSchema(ns, text)
  const quoted = literal(`${ns}::${text}`)
  if (declared.hasFake) return code`declare(${quoted}, fake=None)`
  if (schema.returns.length === 0) return code`declare(${quoted})`
  const fake = fakeOf(schema, calls)
  if (fake === null) {
    const unknown = `The shapes that ${title} returns are unknown, so code that traces it raises: register a fake for it.`
    if (calls.length > 0 && !all) notes.push(unknown)
    return code`declare(${quoted}, unknown_shapes(${literal(title)}))`
  }
  return code`declare(\n    ${quoted},\n    ${fake},\n)`
}

/** The call without the arguments that have no Python name; the graph's code omits them too. */
const named = (call: OperatorCall): OperatorCall => ({
  ...call,
  named: new Map([...call.named].filter(([k]) => /^[A-Za-z_]\w*$/.test(k))),
})

function fakeOf(schema: OpSchema, calls: readonly OperatorCall[]): Code | null {
  const written = schema.args.filter((a) => a.written)
  const parameters = parameterList(schema.args)
  if (parameters === null) return null
  if (schema.returns.every((r) => r.write) && written.length === schema.returns.length) {
    const results = written.map((a) => identifier(a.name)!)
    return code`lambda ${parameters}: ${results.length === 1 ? results[0]! : code`(${joined(results)})`}`
  }
  const names = schema.args.map((a) => a.name)
  const known = calls.flatMap((call): KnownCall[] => {
    const outs = call.outs?.filter((o) => o !== null)
    if (!outs || outs.length < schema.returns.length) return []
    const args = new Map(schema.args.filter((a) => a.hasDefault).map((a) => [a.name, a.default as Arg as never]))
    for (const [k, v] of byName(call, names)) if (names.includes(k)) args.set(k, v as never)
    return [{ args, outs }]
  })
  const expression = fakeExpression(known)
  return expression && code`lambda ${parameters}: ${expression}`
}

/** Null if Python cannot name a parameter, or the default value has no code. */
function parameterList(args: readonly SchemaArg[]): Code | null {
  const one = (a: SchemaArg): Code | null => {
    const name = a.name === 'torch' ? null : identifier(a.name)
    if (name === null || !a.hasDefault) return name
    const value = valueCode(a.default ?? null, {
      ...DATA_FORMS,
      node: () => null,
      size: () => null,
      opaque: () => null,
    })
    return value && code`${name}=${value}`
  }
  const positional = args.filter((a) => !a.kwargOnly).map(one)
  const keyword = args.filter((a) => a.kwargOnly).map(one)
  const all = [...positional, ...(keyword.length > 0 ? [code`*`, ...keyword] : [])]
  return all.includes(null) ? null : joined(all as Code[])
}
