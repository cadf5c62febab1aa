/** Orders a pattern's outputs so that each shares a value with an earlier one, or reduces the pattern to outputs that do. */
import type { Node } from '../../../fx'
import { coneOf, type PatternGraph } from '../../align/pattern_graph'
import type { Change } from '../change'
import type { Fn } from '../pattern_site'
import { listField, nodeField, paramNames, paramsOf, returnedBy, textField, within, type SyntaxNode } from '../syntax'
import { exampleInputs } from './example_inputs'
import { inlined } from './inlined'
import { brief, type Candidate, type MakeCandidates } from './types'

/** Outputs of a pattern, by position, that share nodes, with the nodes that compute them. */
interface OutputGroup {
  outputs: number[]
  nodes: Set<Node>
}

/** A function's returned values as a sequence. */
interface Returned {
  items: SyntaxNode[]
}

interface ConnectedSearch {
  search: Fn
  replace: Fn
  pattern: PatternGraph
  /** The values that the search function returns. */
  mine: Returned
  /** The values that the replacement returns. */
  theirs: Returned
  examples: NonNullable<ReturnType<typeof exampleInputs>>
  /** Parameters of the search function. */
  params: readonly string[]
}

/** Maximum number of groups to try, largest first. */
const MAX_GROUPS = 3

/**
 * The matcher finds each output through nodes that it shares with earlier ones. If all outputs are connected, reordering suffices;
 * otherwise only outputs that share a value are kept, with the arguments they need.
 */
export const keepConnected: MakeCandidates = ({ cause, site }) => {
  const { search, replace, pattern } = site
  if (cause.expected !== 'outputs that share a value' || !search || !replace || !pattern) return []
  const mine = returnedBy(search.node)
  const theirs = returnedBy(replace.node)
  const examples = exampleInputs(site)
  const params = paramNames(search.node)
  if (!mine?.sequence || !theirs?.sequence || !examples || examples.items.length !== params.length) return []
  if (theirs.items.length !== mine.items.length || mine.items.length !== pattern.outputs.length) return []
  const groups = groupsOf(pattern)
  if (groups.length === 1) return [inOrder({ search, replace, pattern, mine, theirs, examples, params })]
  return groups
    .sort((a, b) => b.nodes.size - a.nodes.size)
    .slice(0, MAX_GROUPS)
    .flatMap((group) => keptAlone({ search, replace, pattern, mine, theirs, examples, params }, group))
}

function groupsOf(pattern: PatternGraph): OutputGroup[] {
  const groups: OutputGroup[] = []
  pattern.outputs.forEach((output, i) => {
    const cone = coneOf(output)
    const joined = groups.filter((g) => cone.some((n) => g.nodes.has(n)))
    const merged = { outputs: [...joined.flatMap((g) => g.outputs), i].sort((a, b) => a - b), nodes: new Set(cone) }
    for (const g of joined) {
      g.nodes.forEach((n) => merged.nodes.add(n))
      groups.splice(groups.indexOf(g), 1)
    }
    groups.push(merged)
  })
  return groups
}

/** Returns the outputs in an order in which each shares a node with an earlier one, in pattern and replacement. */
function inOrder({ search, replace, pattern, mine, theirs }: ConnectedSearch): Candidate {
  const cones = pattern.outputs.map((output, i) => ({ i, cone: coneOf(output) }))
  const left = cones.toSorted((a, b) => b.cone.length - a.cone.length)
  const reached = new Set<Node>()
  const order: number[] = []
  while (left.length > 0) {
    const at = Math.max(
      0,
      left.findIndex(({ cone }) => cone.some((n) => reached.has(n))),
    )
    const [{ i, cone }] = left.splice(at, 1) as [(typeof cones)[number]]
    cone.forEach((n) => reached.add(n))
    order.push(i)
  }
  const items = order.map((i) => search.file.source(mine.items[i]!)).join(', ')
  return {
    title: `Return ${brief(items)} in this order, in which each output shares a value with one before it`,
    changes: [
      only(search, mine.items, order),
      ...(replace.node === search.node ? [] : [only(replace, theirs.items, order)]),
    ],
  }
}

/** Candidates that reduce pattern and replacement to one group of outputs. */
function keptAlone(
  { search, replace, pattern, mine, theirs, examples, params }: ConnectedSearch,
  { outputs, nodes }: OutputGroup,
): Candidate[] {
  const used = params.flatMap((name, i) =>
    [...nodes].some((n) => n.op === 'placeholder' && pattern.argNames.get(n) === name) ? [i] : [],
  )
  const gone = new Set(params.filter((_, i) => !used.includes(i)))
  const goneThere = new Set(paramNames(replace.node).filter((_, i) => !used.includes(i)))
  const kept = outputs.map((i) => mine.items[i]!)
  const title = `Match ${brief(kept.map((n) => search.file.source(n)).join(', '))} alone; the other outputs share no value with it`
  const shared: Change[] = [
    only(search, mine.items, outputs),
    ...(gone.size === 0
      ? []
      : [
          only(search, paramsOf(search.node), used),
          ...withoutNames(search, gone),
          only({ file: examples.at.file, node: examples.at.node }, examples.items, used),
        ]),
  ]
  if (replace.node === search.node) return [{ title, changes: shared, narrows: true }]
  const signature = gone.size === 0 ? [] : [only(replace, paramsOf(replace.node), used)]
  const without = gone.size === 0 ? [] : withoutNames(replace, goneThere)
  const inPlace: Candidate = {
    title,
    changes: [...shared, ...signature, ...without, only(replace, theirs.items, outputs)],
    narrows: true,
  }
  // A replacement that computes all outputs at once needs the removed arguments, so compute the outputs as the pattern
  // does.
  const code = kept.map((n) => inlined(n, search, replace))
  const computed: Candidate[] = code.includes(null)
    ? []
    : [
        {
          title: `${title}; the replacement computes it as the pattern does until it calls a kernel for it`,
          changes: [...shared, ...signature, bodyOf(replace, code as string[])],
          narrows: true,
        },
      ]
  const depends = outputs.some((i) =>
    [...within(theirs.items[i]!)].some((n) => n.type === 'Name' && goneThere.has(textField(n, 'id')!)),
  )
  return depends ? computed : [inPlace, ...computed]
}

/** Reduces a list of items to those at the positions. */
const only = (fn: Fn, items: readonly SyntaxNode[], positions: readonly number[]): Change => ({
  file: fn.file.name,
  from: items[0]!.from,
  to: items.at(-1)!.to,
  text: positions.map((i) => fn.file.source(items[i]!)).join(', '),
})

/** Replaces a function's whole body with a return of these values. */
function bodyOf(fn: Fn, values: readonly string[]): Change {
  const text = values.length === 1 ? values[0]! : values.join(', ')
  const lambda = nodeField(fn.node, 'body')
  if (lambda)
    return { file: fn.file.name, from: lambda.from, to: lambda.to, text: values.length === 1 ? text : `(${text})` }
  const body = listField(fn.node, 'body')
  return { file: fn.file.name, from: body[0]!.from, to: body.at(-1)!.to, text: `return ${text}` }
}

/** Removes assignments computed from removed names; adds the names they assigned to `gone`. */
function withoutNames(fn: Fn, gone: Set<string>): Change[] {
  const changes: Change[] = []
  for (const statement of listField(fn.node, 'body')) {
    if (statement.type !== 'Assign') continue
    const names = [...within(statement)].filter((n) => n.type === 'Name')
    if (!names.some((n) => textField(n, 'ctx') === 'Load' && gone.has(textField(n, 'id')!))) continue
    for (const n of names) if (textField(n, 'ctx') === 'Store') gone.add(textField(n, 'id')!)
    const start = fn.file.text.lastIndexOf('\n', statement.from) + 1
    const end = fn.file.text.indexOf('\n', statement.to)
    changes.push({ file: fn.file.name, from: start, to: end < 0 ? statement.to : end + 1, text: '' })
  }
  return changes
}
