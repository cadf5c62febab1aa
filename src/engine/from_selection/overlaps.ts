/** Conditions that distinguish a selection from equal places that overlap it and that PyTorch replaces first. */
import { formatPython, Node, type Graph } from '../../fx'
import { MultiOutputPattern, type Match, type SchemaLookup } from '../../matcher'
import { expressionsOf } from './expressions'
import { hasKnownTarget } from './data_only'
import type { Form } from './forms'
import { functionCode, quoted } from './python_args'
import type { SelectedNodes } from './types'

/** A check of a match. */
export interface Condition {
  /** A Python expression over `match`. */
  code: string
  /** The condition, as the end of a sentence. */
  text: string
}

/** If several calls fit in one place, the matcher binds one node to two of them. */
export const DISTINCT: Condition = {
  code: 'len(set(match.nodes)) == len(match.nodes)',
  text: 'in which no node stands for two',
}

export const both = (a: Condition, b: Condition): Condition => ({
  code: `${a.code} and ${b.code}`,
  text: `${a.text}, ${b.text}`,
})

/** From the most general to one that only this place satisfies. */
export function* conditionsFor(
  graph: Graph,
  selection: SelectedNodes,
  form: Form,
  schemaOf: SchemaLookup,
): Generator<Condition> {
  const own = bindingOf(selection, form)
  const others = overlapping(graph, selection, form, schemaOf)
  const byInput = (of: typeof ofProducer) =>
    selection.inputs.map(({ name }) =>
      of(
        name,
        own.inputs.get(name)!,
        others.map((o) => o.inputs.get(name)),
      ),
    )
  const byOutput = [...form.outputs.keys()].map((at) =>
    ofReaders(
      at,
      own.outputs[at]!,
      others.map((o) => o.outputs[at] ?? null),
      form,
    ),
  )
  for (const condition of [...byInput(ofProducer), ...byOutput, ...byInput(ofShape)]) if (condition) yield condition
  yield {
    code: `${outputCode(0, form)}.name == ${quoted(own.outputs[0]!.name)}`,
    text: 'of this place',
  }
}

interface Binding {
  inputs: ReadonlyMap<string, Node>
  outputs: readonly Node[]
}

const bindingOf = ({ inputs }: SelectedNodes, { outputs }: Form): Binding => ({
  inputs: new Map(inputs.map(({ name, node }) => [name, node])),
  outputs,
})

/** The equal places later in the graph that share a node with the selection: the pass visits them first. */
function overlapping(graph: Graph, selection: SelectedNodes, form: Form, schemaOf: SchemaLookup): Binding[] {
  const exprs = expressionsOf({ ...selection, outputs: form.outputs }, { exclusive: form.exclusive, loose: false })
  const roots = form.outputs.map((o) => exprs.get(o)!)
  const pattern = roots.length === 1 ? roots[0]! : new MultiOutputPattern(roots)
  const [first] = form.outputs as [Node]
  const selected = new Set(selection.nodes)
  const found: Binding[] = []
  for (const node of graph.nodes()) {
    if (node.op !== first.op || node.target !== first.target || !first.isBefore(node)) continue
    const match = pattern.match(node, schemaOf)
    if (!match.ok || !match.nodes.some((n) => selected.has(n)) || match.nodes.every((n) => selected.has(n))) continue
    found.push({ inputs: nodesOf(match), outputs: match.outputNodes().filter((n) => n !== null) })
  }
  return found
}

const nodesOf = ({ kwargs }: Match): ReadonlyMap<string, Node> =>
  new Map([...kwargs].flatMap(([name, value]) => (value instanceof Node ? [[name, value] as const] : [])))

const outputCode = (at: number, { outputs }: Form): string =>
  outputs.length === 1 ? 'match.output_node()' : `match.output_nodes()[${at}]`

const kindOf = (node: Node | undefined): string | null =>
  node ? `${node.op} ${isCall(node) ? node.target : ''}` : null

/** A call that the check can name; the others are outside the selection, so their targets may be any text. */
const isCall = hasKnownTarget

const targetCode = ({ op, target }: Node): string => (op === 'call_method' ? quoted(target) : functionCode(target))

const compare = ({ op }: Node, equal: boolean): string =>
  op === 'call_method' ? (equal ? '==' : '!=') : equal ? 'is' : 'is not'

/** A different operator computes the input. */
function ofProducer(name: string, own: Node, others: readonly (Node | undefined)[]): Condition | null {
  if (others.length === 0 || others.some((o) => kindOf(o) === kindOf(own))) return null
  const input = `match.kwargs[${quoted(name)}]`
  const [other] = others
  if (other && isCall(other) && others.every((o) => kindOf(o) === kindOf(other)))
    return {
      code: `${input}.target ${compare(other, false)} ${targetCode(other)}`,
      text: `whose ${name} no ${other.target} gives`,
    }
  return isCall(own)
    ? { code: `${input}.target ${compare(own, true)} ${targetCode(own)}`, text: `whose ${name} ${own.target} gives` }
    : { code: `${input}.op == ${quoted(own.op)}`, text: `whose ${name} is a ${own.op}` }
}

/** A different operator reads the output. */
function ofReaders(at: number, own: Node, others: readonly (Node | null)[], form: Form): Condition | null {
  if (others.length === 0) return null
  const kinds = (n: Node | null): Set<string | null> => new Set([...(n?.users ?? [])].map(kindOf))
  const readers = `for user in ${outputCode(at, form)}.users`
  const mine = [...own.users].find((u) => isCall(u) && others.every((o) => !kinds(o).has(kindOf(u))))
  if (mine)
    return {
      code: `any(user.target ${compare(mine, true)} ${targetCode(mine)} ${readers})`,
      text: `that ${mine.target} reads`,
    }
  const theirs = [...(others[0]?.users ?? [])].find(
    (u) => isCall(u) && !kinds(own).has(kindOf(u)) && others.every((o) => kinds(o).has(kindOf(u))),
  )
  return theirs
    ? {
        code: `all(user.target ${compare(theirs, false)} ${targetCode(theirs)} ${readers})`,
        text: `that no ${theirs.target} reads`,
      }
    : null
}

/** The input has a different shape. */
function ofShape(name: string, own: Node, others: readonly (Node | undefined)[]): Condition | null {
  const shapeOf = (n: Node | undefined): string | null =>
    n?.meta.val?.kind === 'tensor' && n.meta.val.shape.every((d) => typeof d === 'number')
      ? formatPython(n.meta.val.shape.map((d) => BigInt(d)))
      : null
  const shape = shapeOf(own)
  if (shape === null || others.length === 0 || others.some((o) => shapeOf(o) === null || shapeOf(o) === shape))
    return null
  return {
    code: `list(match.kwargs[${quoted(name)}].meta["val"].shape) == ${shape}`,
    text: `whose ${name} has this shape`,
  }
}
