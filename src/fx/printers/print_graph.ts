/** Prints a graph like `print(graph)` (Graph.__str__ and Node.format_node), byte for byte. */
import { formatArg, formatKwargs, formatRepr } from './format'
import type { Graph } from '../graph/graph'
import type { Arg, Node } from '../graph/node'
import { targetToText } from '../target'

/** `str(graph)`, without a trailing newline. */
export function printGraph(graph: Graph): string {
  const lines = ['graph():']
  for (const node of graph.nodes()) lines.push(`    ${printNode(node)}`)
  return lines.join('\n')
}

/** One line of it: `%x : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%a, 1), kwargs = {})`. */
export function printNode(node: Node): string {
  if (node.op === 'output') return `return ${formatOutput(node)}`
  const head = `%${node.name} : ${node.type ? `${node.type} ` : ''}[num_users=${node.users.size}] = ${node.op}[target=`
  switch (node.op) {
    case 'placeholder': {
      const [value] = node.args
      return `${head}${node.target}]${value === undefined ? '' : `(default=${formatOutputValue(value)})`}`
    }
    case 'get_attr':
      return `${head}${node.target}]`
    default: {
      const target = node.op === 'call_function' ? targetToText(node.target) : node.target
      return `${head}${target}](args = (${joinArgs(node)}), kwargs = ${formatKwargs(node.kwargs)})`
    }
  }
}

const joinArgs = (node: Node): string =>
  node.args.length === 1 ? `${formatArg(node.args[0]!)},` : node.args.map(formatArg).join(', ')

/** str() of the graph's return value: repr() inside a container, bare for a single string. */
const formatOutput = (node: Node): string => formatOutputValue(node.args[0] ?? null)

const formatOutputValue = (value: Arg): string =>
  typeof value === 'string' ? value : isDevice(value) ? formatArg(value) : formatRepr(value)

const isDevice = (value: Arg): boolean =>
  typeof value === 'object' && value !== null && 'kind' in value && (value.kind === 'device' || value.kind === 'op')
