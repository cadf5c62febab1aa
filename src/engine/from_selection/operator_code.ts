/** The declaration of the replacement's operator, and its results. */
import { isOverload, Node, visitNodes, type Arg, type Val, isGetitem } from '../../fx'
import { INPLACE_SIGN } from '../../fx/operators'
import { isMutationOp, type SchemaLookup } from '../../matcher'
import { catalogOverloads, type OpSchema } from '../../ops/schema'
import type { FunctionCode } from './function_code'
import { symOf } from './function_code'
import type { PatternConstant, SelectedNodes } from './types'

/** One result of the operator; a node with several values has several. */
export interface OperatorResult {
  output: Node
  /** Index of the value inside a node with several; null for a node with one. */
  item: number | null
  type: string
  /** The value shares memory with an input, which an operator may not return. */
  alias: boolean
}

/** Null if the number of values of an output is unknown. */
export function resultsOf(outputs: readonly Node[], schemaOf: SchemaLookup): OperatorResult[] | null {
  const results: OperatorResult[] = []
  for (const output of outputs) {
    const alias = isView(output, schemaOf)
    if (!isPacked(output, schemaOf)) results.push({ output, item: null, type: typeOf(output.meta.val), alias })
    else {
      const length = packedLength(output, schemaOf)
      if (length === null) return null
      for (let item = 0; item < length; item++) results.push({ output, item, type: itemType(output, item), alias })
    }
  }
  return results
}

/** True for a node whose value is a tuple or list, according to its users or its operator. */
export function isPacked(node: Node, schemaOf: SchemaLookup): boolean {
  const { val } = node.meta
  if (val) return val.kind === 'vals'
  if (node.target.startsWith('higher_order.')) return true
  const returns = node.op === 'call_function' && isOverload(node.target) ? schemaOf(node.target)?.returns : undefined
  if (returns && returns.length > 1) return true
  return (
    node.users.size > 0 &&
    [...node.users].every((u) => isGetitem(u) && u.args[0] === node && typeof u.args[1] === 'bigint')
  )
}

function packedLength(node: Node, schemaOf: SchemaLookup): number | null {
  const { val } = node.meta
  if (val?.kind === 'vals') return val.items.length
  const returns = isOverload(node.target) ? schemaOf(node.target)?.returns : undefined
  if (returns && returns.length > 1) return returns.length
  const indices = [...node.users].map((u) => (isGetitem(u) ? u.args[1] : null))
  return indices.length > 0 && indices.every((i) => typeof i === 'bigint') ? Math.max(...indices.map(Number)) + 1 : null
}

function itemType(node: Node, item: number): string {
  const { val } = node.meta
  return val?.kind === 'vals' ? typeOf(val.items[item] ?? undefined) : 'torch.Tensor'
}

/** Annotation of a value in the operator's signature. */
export function typeOf(val: Val | null | undefined): string {
  if (val?.kind === 'vals') return 'list[torch.Tensor]'
  if (val?.kind !== 'scalar') return 'torch.Tensor'
  const { value } = val
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'number' ? 'float' : 'int'
}

/** True if the operator may return a view of an argument. */
function isView(node: Node, schemaOf: SchemaLookup): boolean {
  if (node.op === 'call_method') return catalogOverloads(`aten.${node.target}`).some(isViewSchema)
  if (isGetitem(node)) {
    const [source] = node.args
    return !(source instanceof Node) || !isOverload(source.target) || isView(source, schemaOf)
  }
  if (!isOverload(node.target)) return false
  return node.target === 'aten.reshape.default' || (schemaOf(node.target)?.args.some((a) => a.aliased) ?? false)
}

const isViewSchema = ({ mutable, args }: OpSchema): boolean => !mutable && args.some((a) => a.aliased)

/** Names of the inputs that selected nodes write to, directly or through views. */
export function writtenInputs({ nodes, inputs }: SelectedNodes, schemaOf: SchemaLookup): string[] {
  const names = new Map(inputs.map(({ node, name }) => [node, name]))
  const written = new Set<string>()
  for (const node of nodes) {
    if (!isWrite(node, schemaOf)) continue
    for (const arg of writtenArguments(node, schemaOf)) {
      let at: Node | null = arg
      while (at && !names.has(at)) {
        const source: Arg | undefined = isView(at, schemaOf) || isWrite(at, schemaOf) ? at.args[0] : undefined
        at = source instanceof Node ? source : null
      }
      if (at) written.add(names.get(at)!)
    }
  }
  return inputs.flatMap(({ name }) => (written.has(name) ? [name] : []))
}

/** Includes Python's in-place operators, which the matcher treats as pure calls. */
const isWrite = (node: Node, schemaOf: SchemaLookup): boolean =>
  isMutationOp(node, schemaOf) || IN_PLACE.has(node.target)

const IN_PLACE = new Set([...INPLACE_SIGN.keys(), 'operator.setitem', 'operator.delitem', 'operator.iconcat'])

function writtenArguments(node: Node, schemaOf: SchemaLookup): Node[] {
  const schema = node.op === 'call_function' && isOverload(node.target) ? schemaOf(node.target) : null
  const values = schema
    ? schema.args.flatMap((a, i) => (a.written ? [node.args[i] ?? node.kwargs.get(a.name) ?? null] : []))
    : [node.kwargs.get('out') ?? node.args[0] ?? null]
  const found: Node[] = []
  for (const value of values) visitNodes(value, (n) => found.push(n))
  return found
}

/** `NAME(x: torch.Tensor, eps: float)`. */
export function signatureOf(
  { inputs }: SelectedNodes,
  parameters: readonly PatternConstant[],
  code: FunctionCode,
): string[] {
  const types = new Map([
    ...inputs.map(({ node, name }): [string, string] => [name, symOf(node) === null ? typeOf(node.meta.val) : 'int']),
    ...parameters.map((p): [string, string] => [p.name, 'float']),
  ])
  return code.parameters.map((p) => `${p}: ${types.get(p)!}`)
}
