/** The numbers in a selection that a pattern can take as parameters. */
import { formatPython, type Arg, type Node } from '../../fx'
import type { SchemaLookup } from '../../matcher'
import { Names, parameterName } from './input_names'
import { leavesOf } from './selection'
import type { PatternConstant, SelectedNodes } from './types'

/**
 * Floats, each value once: scalar_workaround replaces every constant that equals the value, so a float that also occurs as a
 * dimension or an index is left out.
 */
export function constantsOf({ nodes, inputs }: SelectedNodes, schemaOf: SchemaLookup): PatternConstant[] {
  const found = new Map<number, { name: string; nodes: Node[] }>()
  const others = new Set<number>()
  const names = new Names()
  for (const input of inputs) names.take(input.name)
  for (const node of nodes)
    for (const { path, value } of leavesOf(node)) {
      if (typeof value === 'number' && Number.isFinite(value)) {
        const known = found.get(value)
        if (known) known.nodes.push(node)
        else found.set(value, { name: nameOf(node, path, schemaOf), nodes: [node] })
      } else if (typeof value === 'bigint' || typeof value === 'boolean') others.add(Number(value))
    }
  return [...found]
    .filter(([value]) => !others.has(value))
    .map(([value, { name, nodes: holders }]) => ({
      name: names.take(name),
      text: formatPython(value),
      value,
      nodes: [...new Set(holders.map((n) => n.name))],
    }))
}

/** The name `other` in `add(var, 1e-05)` says nothing: an addend that small is an epsilon, a factor is a scale. */
function nameOf(node: Node, path: number | string, schemaOf: SchemaLookup): string {
  const name = parameterName(node, path, schemaOf)
  if (!['x', 'other', 'exponent', 'scalar'].includes(name)) return name
  const [, op = ''] = node.target.split('.')
  if (op === 'pow') return 'exponent'
  const value = node.args[Number(path)] as Arg
  if (/^(?:add|sub)$/.test(op)) return typeof value === 'number' && Math.abs(value) < 0.01 ? 'eps' : 'offset'
  return /^(?:mul|div)$/.test(op) ? 'scale' : 'value'
}
