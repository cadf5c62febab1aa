/**
 * Rules in which SubgraphMatcher (used by replace_pattern, torch/fx/passes/utils/matcher_utils.py) differs from Inductor's matcher:
 * literals are compared by type and value, each value corresponds to one node, users of unreturned values must match, calls are
 * compared by identity.
 */
import { isOverload, Node, type Arg, operatorOf } from '../../fx'
import { pyEqual } from '../../matcher/py'
import type { SchemaLookup } from '../../matcher/schema_facts'
import type { CauseParts } from '../causes'
import { graphValue } from '../reasons/node_terms'
import { bareName } from '../reasons/operators'
import type { Progress } from './alignment'

/** True, 1 and 1.0 are three different literals. */
export const sameLiteral = (a: Arg, b: Arg): boolean => typeof a === typeof b && pyEqual(a, b)

/** Arguments by parameter of the schema, including defaults; null for a call that SubgraphMatcher compares by position. */
export function argumentsBySchema(node: Node, schemaOf: SchemaLookup): ReadonlyMap<string, Arg> | null {
  const schema = node.op === 'call_function' && isOverload(node.target) ? schemaOf(node.target) : null
  if (!schema) return null
  return new Map(
    schema.args.map((a, i) => [
      a.name,
      node.kwargs.get(a.name) ?? (!a.kwargOnly && i < node.args.length ? node.args[i]! : ((a.default ?? null) as Arg)),
    ]),
  )
}

/** Each node of the graph corresponds to one node of the pattern, including inputs. */
export function reportSharedValues(at: Progress): void {
  const names = new Map<Node, string>()
  const taken = new Set<Node>(at.pairs.values())
  for (const [name, value] of at.bound) {
    if (!(value instanceof Node)) continue
    const other = names.get(value)
    if (other === undefined && !taken.has(value)) names.set(value, name)
    else
      at.addCause({
        reason: { kind: 'one-value', argument: name, other: other ?? null, value: graphValue(value) },
        graph: value,
        expected: other === undefined ? 'an input' : `another value than ${other}’s`,
        found: value.name,
      })
  }
}

/** Only the match may use the value of a node that the pattern does not return. */
export function outsideUsers(at: Progress, g: Node): Node[] {
  const matched = new Set(at.pairs.values())
  return [...g.users].filter((u) => !matched.has(u) && !at.inside.has(u))
}

/** `torch.relu`, `.relu` for a method, `self.fc` for a module. */
export const callText = (n: Node): string =>
  n.op === 'call_method'
    ? `.${n.target}`
    : n.op === 'call_module' || n.op === 'get_attr'
      ? `self.${n.target}`
      : operatorOf(n)

/** Calls with different targets of a kind other than operator: a method in place of a function, a module at another path. */
export function otherCall(p: Node, g: Node): CauseParts | null {
  if (!g.op.startsWith('call') && g.op !== 'get_attr') return null
  if (p.op === 'call_function' && g.op === 'call_function' && bareName(p.target) !== bareName(g.target)) return null
  const modules =
    p.op === 'call_module' && g.op === 'call_module'
      ? { expected: p.meta.moduleClass ?? null, found: g.meta.moduleClass ?? null }
      : null
  return {
    reason: { kind: 'other-call', node: g.name, expected: callText(p), found: callText(g), modules },
    pattern: p,
    graph: g,
  }
}
