/** Restores string arguments that a printed graph writes without quotes. */
import type { Arg, Graph } from '../../fx'
import { catalogSchema, type SchemaArg } from './index'

/** `print(graph)` writes the group name "0" as 0; the operator's schema says that it is a string. */
export function restoreStrings(graph: Graph): void {
  for (const node of graph.nodes()) {
    if (node.op !== 'call_function') continue
    const schema = catalogSchema(node.target)
    if (!schema?.args.some((a) => isText(a))) continue
    const restored = (value: Arg, i: number | string): Arg => {
      const arg = typeof i === 'number' ? schema.args[i] : schema.args.find((a) => a.name === i)
      return typeof value === 'bigint' && arg && isText(arg) ? value.toString() : value
    }
    const args = node.args.map(restored)
    const kwargs = new Map([...node.kwargs].map(([k, v]) => [k, restored(v, k)]))
    if (args.some((a, i) => a !== node.args[i]) || [...kwargs].some(([k, v]) => v !== node.kwargs.get(k)))
      node.setArgs(args, kwargs)
  }
}

/** Functional collectives declare `Any group_name`: a process group or its name, never a number. */
const isText = ({ name, type: { base, list } }: SchemaArg): boolean =>
  list === null && (base === 'str' || (base === 'Any' && name === 'group_name'))
