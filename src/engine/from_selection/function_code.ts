/** The selection as a Python function that calls its operators one by one. */
import { Node, type Arg, isKind, isGetitem } from '../../fx'
import { localName, Names } from './input_names'
import { functionCode, pythonArg } from './python_args'
import { sizeCode } from './sym_text'
import type { PatternConstant, SelectedNodes } from './types'

export interface FunctionCode {
  parameters: readonly string[]
  lines: readonly string[]
  /** Expressions of the outputs, in order. */
  results: readonly string[]
}

export interface FunctionOptions {
  /** Nodes whose value the function returns, in order. */
  outputs: readonly Node[]
  /** Constants that are parameters. */
  parameters: readonly PatternConstant[]
  /** True: symbolic sizes are read from shapes and are not parameters. */
  sizesFromShapes: boolean
}

/** Null if a symbolic size is not in the shapes of the inputs. */
export function functionCodeOf(selection: SelectedNodes, options: FunctionOptions): FunctionCode | null {
  const { inputs, nodes } = selection
  const names = new Map<Node, string>()
  const parameters: string[] = []
  for (const { node, name } of inputs) {
    const size = options.sizesFromShapes ? symOf(node) : null
    const code = size === null ? name : sizeCode(size, inputs)
    if (code === null) return null
    names.set(node, code)
    if (size === null) parameters.push(name)
  }
  const locals = new Names()
  for (const { name } of inputs) locals.take(name)
  for (const { name } of options.parameters) locals.take(name)
  for (const node of nodes) names.set(node, locals.take(localName(node)))
  let complete = true
  const leaf = (value: Arg): string | null => {
    if (value instanceof Node) return names.get(value)!
    if (typeof value === 'number') return options.parameters.find((p) => p.value === value)?.name ?? null
    if (isKind(value, 'sym')) {
      const code = sizeCode(value.expr, inputs)
      complete &&= code !== null
      return code ?? '0'
    }
    return null
  }
  const lines = nodes.map((node) => `${names.get(node)!} = ${callCode(node, leaf)}`)
  if (!complete) return null
  return {
    parameters: [...parameters, ...options.parameters.map((p) => p.name)],
    lines,
    results: options.outputs.map((o) => names.get(o)!),
  }
}

/** The expression of a size that the graph computes; null for any other node. */
export function symOf(node: Node): string | null {
  const { val } = node.meta
  const value = val?.kind === 'scalar' ? val.value : null
  return typeof value === 'object' && value !== null ? value.expr : null
}

function callCode(node: Node, leaf: (value: Arg) => string | null): string {
  const args = node.args.map((a) => pythonArg(a, leaf))
  const kwargs = [...node.kwargs].map(([k, v]) => `${k}=${pythonArg(v, leaf)}`)
  if (node.op === 'call_method') return `${args[0]}.${node.target}(${[...args.slice(1), ...kwargs].join(', ')})`
  if (isGetitem(node) && args.length === 2) return `${args[0]}[${args[1]}]`
  return `${functionCode(node.target)}(${[...args, ...kwargs].join(', ')})`
}
