/**
 * Lint `ignored-kwarg`: keywords of graph nodes that the pattern does not name. PyTorch compares only the keywords a pattern names (and
 * fills in defaults only when the node has fewer), so `add(x, y, alpha=2)` matches `add(x, y)` and loses its alpha.
 */
import { code, message, node, operator, worded, type Message } from '../../base/message'
import { type Arg, type Node, operatorOf, isFunctionalized, isKind } from '../../fx'
import { pyEqual, pyRepr } from '../../matcher/py'
import type { SchemaLookup } from '../../matcher/schema_facts'
import { isFactory } from '../reasons/operators'
import { Folded, unlessChecked, type LintFacts } from './facts'
import type { Lint } from './types'

export function ignoredKwargs(facts: LintFacts): Lint[] {
  const found = new Folded()
  for (const entry of facts.fired) {
    const nodes = facts.patternNodes(entry.index)
    for (const match of facts.matchesOf(entry.index))
      for (const [index, name] of match.map) {
        const p = nodes[index]
        const g = facts.nodeBefore(name)
        if (!p || !g || p.op !== 'call_function' || g.op !== 'call_function' || g.kwargs.size === 0) continue
        for (const [key, value] of g.kwargs) {
          if (p.kwargs.has(key) || meansNothing(g, key, value, facts.schemaOf)) continue
          const text = `${key}=${pyRepr(value)}`
          found.add(`${entry.index} ${index} ${text}`, () => ({
            kind: 'ignored-kwarg',
            entry: entry.index,
            graphNode: name,
            argument: key,
            source: p.meta.source ?? entry.registration.source,
            ...worded(
              message`${node(name)} is ${operator(operatorOf(g))} with ${code(text)}, which the pattern does not name: it matches anyway, and the replacement drops the keyword${leftDead(facts, value)}${unlessChecked(entry)}`,
            ),
          }))
        }
      }
  }
  return found.all()
}

/** The node that computed the keyword's value, where nothing uses it any more. */
function leftDead(facts: LintFacts, value: Arg): Message {
  const made = isNode(value) && value.op === 'call_function' ? facts.nodeAfter(value.name) : undefined
  if (!made || made.users.size > 0) return []
  return message`; nothing uses ${node(made.name)} (${operator(operatorOf(made))}) any more, so dead-code elimination removes it`
}

/** True if the keyword only restates the default. */
function meansNothing(g: Node, key: string, value: Arg, schemaOf: SchemaLookup): boolean {
  if (value === null) return true
  if (key === 'layout') return isKind(value, 'layout') && value.name === 'strided'
  if (key === 'pin_memory') return value === false
  if (key === 'memory_format' || key === 'non_blocking') return true
  // A factory's device is determined by its user.
  if (key === 'device' && isFactory(g)) return true
  if (key === 'implicit') return true
  // auto_functionalized's own bookkeeping arguments.
  if (isFunctionalized(g) && key.startsWith('_')) return true
  const fact = schemaOf(operatorOf(g))?.args.find((a) => a.name === key)
  return fact?.default !== undefined && !isNode(value) && pyEqual(value, fact.default)
}

const isNode = (a: Arg): a is Node => typeof a === 'object' && a !== null && 'users' in a
