/** Facts about an operator's schema that lead to a cause: releases that differ, and guessed schemas. */
import { withSchemaFacts, type Cause } from '../../explain/causes'
import type { PassToExplain } from '../../explain/explain'
import type { NearMissFold } from '../../explain/near_misses'
import type { VersionsDiffer } from '../../explain/reasons/schema_messages'
import type { GuessedSchema } from '../../matcher/schema_facts'
import { type Node, isGetitem } from '../../fx'
import { sourceText, type OpSchema } from '../../ops/schema'
import { callOf, versionsFor } from '../../trace/schema_versions'

/** @param guesses schemas of undeclared operators, by target */
export function withSchemas(
  fold: NearMissFold,
  { graph, entries, schemaOf }: Pick<PassToExplain, 'graph' | 'entries' | 'schemaOf'>,
  guesses: ReadonlyMap<string, GuessedSchema>,
): Pick<NearMissFold, 'causes'> {
  const search = entries[fold.entry]?.searchGraph
  if (!fold.causes || !search) return {}
  const patternNodes = [...search.nodes()]
  const seen = new Set<string>()
  const declared = (target: string): OpSchema | null => {
    const schema = schemaOf(target) as OpSchema | null
    return schema && !schema.source ? schema : null
  }
  const causes = fold.causes.map((cause) => {
    const p = cause.patternNode === null ? null : (patternNodes[cause.patternNode] ?? null)
    const g = cause.graphNode === null ? null : graph.find(cause.graphNode)
    const facts: Pick<Cause, 'versions' | 'guessed'> = {}
    const versions = p && g && FORM.has(cause.reason.kind) ? versionsDiffer(p, g, declared) : null
    if (versions && !seen.has(versions.operator)) facts.versions = versions
    const guessed = [p, g].flatMap((n) => (n ? guessOf(n, guesses) : []))[0]
    if (guessed && !seen.has(guessed.operator)) facts.guessed = guessed
    for (const fact of [facts.versions, facts.guessed]) if (fact) seen.add(fact.operator)
    return facts.versions || facts.guessed ? withSchemaFacts(cause, facts) : cause
  })
  return { causes }
}

/** Causes about the arguments that a call passes. */
const FORM: ReadonlySet<Cause['reason']['kind']> = new Set([
  'keyword-missing',
  'keyword-extra',
  'keyword-order',
  'passed-by',
  'passed-on-one-side',
])

function versionsDiffer(p: Node, g: Node, declared: (target: string) => OpSchema | null): VersionsDiffer | null {
  const [mine, theirs] = [callOf(p), callOf(g)]
  if (!mine || !theirs || mine.target !== theirs.target) return null
  const [pattern, graph] = [versionsFor(mine), versionsFor(theirs)]
  const { known } = pattern
  const own = declared(mine.target)
  if (known.length === 0 || (!own && pattern.fitting.some((s) => graph.fitting.includes(s)))) return null
  const [a, b] = [graph.fitting[0] ?? null, own ?? pattern.fitting[0] ?? null]
  const differ = a && b ? argumentsThatDiffer(a, b) : []
  // The files may declare the operator in agreement with a known version.
  if (a && b && differ.length === 0) return null
  const schema = (s: OpSchema | null): VersionsDiffer['graph'] =>
    s && { version: s.source ? sourceText(s.source) : null, schema: s.text }
  return {
    operator: operatorName(mine.target),
    graph: schema(a),
    pattern: schema(b),
    known: known.length,
    arguments: differ,
  }
}

function argumentsThatDiffer(graph: OpSchema, pattern: OpSchema): VersionsDiffer['arguments'] {
  const only = (a: OpSchema, b: OpSchema, side: 'graph' | 'pattern'): VersionsDiffer['arguments'] =>
    a.args.flatMap((arg): VersionsDiffer['arguments'] => {
      const other = b.args.find((x) => x.name === arg.name)
      if (!other) return [{ name: arg.name, only: side, what: 'argument' }]
      return arg.hasDefault && !other.hasDefault ? [{ name: arg.name, only: side, what: 'default' }] : []
    })
  return [...only(graph, pattern, 'graph'), ...only(pattern, graph, 'pattern')]
}

/** The guessed schema of the operator that a node calls, or whose item it takes. */
function guessOf(node: Node, guesses: ReadonlyMap<string, GuessedSchema>): GuessedSchema[] {
  const [first] = node.inputs()
  const call = callOf(isGetitem(node) && first ? first : node)
  return call && guesses.get(call.target) ? [guesses.get(call.target)!] : []
}

/** `_C.silu_and_mul.default` → `_C::silu_and_mul`. */
export const operatorName = (target: string): string => target.replace(/\.default$/, '').replace('.', '::')
