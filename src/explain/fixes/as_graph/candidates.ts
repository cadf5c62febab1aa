/** Rewrites a whole search function like the graph, which computes the same value in a different way. */
import { Node, type Arg, isGetitem } from '../../../fx'
import { keyOf } from '../../reasons/operators'
import type { Change } from '../change'
import type { Fn, PatternSite } from '../pattern_site'
import { ONE_GRAPH, isSize, SizeWriter, type ShapeSource } from '../candidates/size_code'
import { withExamples } from '../candidates/other_examples'
import type { Candidate } from '../candidates/types'
import { textField, functionAround, listField, paramNames, within } from '../syntax'
import { callCode, valueCode, type ArgumentCode } from '../code'
import { isInfix } from '../python_style'

/** Maximum number of outputs of a pattern. */
const MAX_OUTPUTS = 4
/** Maximum number of graph nodes tried as the counterpart of the pattern's absent root. */
const MAX_ROOTS = 3

/** Candidates for all of the search function. */
export function asComputed(site: PatternSite): Candidate[] {
  const { search, replace } = site
  if (!search || search.node === replace?.node || !statementsOf(search)) return []
  const made: Candidate[] = []
  for (const outputs of outputsAt(site))
    for (const region of regionsFor(site, outputs))
      for (const scalars of [true, false]) {
        const body = bodyOf(site, search, region, scalars)
        const changes = body && [replacedBody(search, body.lines)]
        if (!changes || made.some((m) => m.changes[0]!.text === changes[0]!.text)) continue
        const title = `Write ${textField(search.node, 'name') ?? 'the pattern'} as the graph computes it`
        made.push({ title: title + (body.oneGraph ? ONE_GRAPH : ''), changes })
      }
  return withExamples(site, made)
}

/** The graph nodes that may correspond to the pattern's outputs. */
function outputsAt(site: PatternSite): Node[][] {
  const { pattern, alignment, miss, index } = site
  if (!pattern || pattern.outputs.length > MAX_OUTPUTS) return []
  if (!miss) return pattern.outputs.length === 1 ? usersOfParts(site, pattern.outputs[0]!).map((n) => [n]) : []
  const anchor = index.byName.get(miss.anchors[0] ?? '')
  const found = pattern.outputs.map((o, i) => alignment?.pairs.get(o) ?? (i === 0 ? anchor : undefined))
  if (!found.every((n) => n !== undefined) || new Set(found).size !== found.length) return []
  // The graph may apply the pattern's root earlier: for example, scaling an operand instead of the product.
  const later = found.length === 1 ? [...found[0]!.users].filter((n) => n.op === 'call_function').slice(0, 1) : []
  return [found as Node[], ...later.map((n) => [n])]
}

/** Users of graph nodes that run the operator of one of the root's operands. */
function usersOfParts({ index }: PatternSite, root: Node): Node[] {
  const parts = root.inputs().filter((n) => n.op === 'call_function')
  const users = parts.flatMap((p) => index.of(keyOf(p))).flatMap((n) => [...n.users])
  return [...new Set(users)].filter((n) => n.op === 'call_function').slice(0, MAX_ROOTS)
}

function replacedBody(fn: Fn, lines: readonly string[]): Change {
  const { from, to } = statementsOf(fn)!
  const start = fn.file.text.lastIndexOf('\n', from) + 1
  const indent = fn.file.text.slice(start, from)
  return { file: fn.file.name, from, to, text: lines.join(`\n${indent}`) }
}

/** Maximum length of a line; shorter values are written into their only use. */
const MAX_LINE = 88
/** The smallest number that counts as a size of the graph. */
const MIN_SIZE = 8

/** Writes part of a graph as the body of a search function. */
interface Body {
  /** Statements without indentation, the return last. */
  lines: string[]
  /** True if it contains a size of this graph as a number. */
  oneGraph: boolean
}

/** @param scalars true to write whole numbers that equal a size of an input as that size; null if that changes nothing */
function bodyOf(site: PatternSite, search: Fn, region: Region, scalars: boolean): Body | null {
  const writer = new BodyWriter(site, search, region, scalars)
  return writer.write()
}

class BodyWriter {
  private readonly texts = new Map<Node, string>()
  private readonly taken: Set<string>
  private readonly lines: string[] = []
  private readonly sizes: SizeWriter
  private readonly sources: ShapeSource[]
  private replacedScalar = false

  constructor(
    private readonly site: PatternSite,
    search: Fn,
    private readonly region: Region,
    private readonly scalars: boolean,
  ) {
    const params = paramNames(search.node)
    const inputs = [...region.inputs].sort(([, a], [, b]) => params.indexOf(a) - params.indexOf(b))
    this.sources = inputs.flatMap(([g, text]) => {
      const val = g.meta.val
      return val?.kind === 'tensor' ? [{ text, shape: val.shape }] : []
    })
    this.sizes = new SizeWriter(site, this.sources)
    this.taken = new Set([...paramNames(search.node), ...globalNames(search)])
    for (const [g, name] of region.inputs) this.texts.set(g, name)
  }

  write(): Body | null {
    const { nodes, outputs } = this.region
    for (const node of nodes) {
      const code = this.codeOf(node)
      if (code === null) return null
      const name = this.ownName(node)
      if (name === null) {
        this.texts.set(node, code)
        continue
      }
      this.lines.push(`${name} = ${code}`)
      this.texts.set(node, name)
    }
    if (this.scalars && !this.replacedScalar) return null
    const results = outputs.map((o) => this.texts.get(o)!)
    this.lines.push(`return ${results.join(', ')}`)
    return { lines: this.lines, oneGraph: this.sizes.literal }
  }

  /** The call, by the imported name of a higher-order operator if there is one. */
  private codeOf(node: Node): string | null {
    const code = callCode(node, (g) => this.texts.get(g) ?? null, this.argumentOf(node))
    return (
      code &&
      code.replace(/^torch\.ops\.higher_order\.(\w+)/, (whole, name: string) => (this.taken.has(name) ? name : whole))
    )
  }

  private argumentOf(node: Node): ArgumentCode {
    const plain = this.sizes.argumentsOf(node)
    return (value, key, nodeText) => {
      const size = this.scalars && !isSize(this.site, node, key) ? this.sizeText(value) : null
      if (size !== null) this.replacedScalar = true
      const text = size ?? plain(value, key, nodeText) ?? valueCode(value, nodeText)
      // An item or an attribute binds more tightly than an operation.
      return text !== null && isGetitem(node) && key === 0 && isInfix(text) ? `(${text})` : text
    }
  }

  /** The size of an input that a whole number equals. */
  private sizeText(value: Arg): string | null {
    const number = typeof value === 'bigint' || typeof value === 'number' ? Number(value) : NaN
    if (!Number.isInteger(number) || number < MIN_SIZE) return null
    for (const { text, shape } of this.sources) {
      const d = shape.lastIndexOf(number)
      if (d >= 0) return `${text}.shape[${d - shape.length}]`
    }
    return null
  }

  /** The name for a value with several uses, several items, or a long text; null to write the value into its use. */
  private ownName(node: Node): string | null {
    const inside = [...node.users].filter((u) => this.region.nodes.includes(u))
    const returned = this.region.outputs.includes(node)
    const theirs = this.site.patternNodesFor(node)[0]
    const expression = theirs && this.site.expression(theirs)
    const users =
      expression && functionAround(expression.node) === this.site.search?.node ? this.site.nameOf(expression) : null
    const once = inside.length + (returned ? 1 : 0) <= 1
    if (once && (returned || (users === null && this.lengthOf(node) < MAX_LINE))) return null
    let name = users ?? node.name
    if (users !== null && this.taken.has(users)) name = node.name
    for (let i = 2; this.taken.has(name); i++) name = `${node.name}_${i}`
    this.taken.add(name)
    return name
  }

  /** An upper bound for the length of a value's text. */
  private lengthOf(node: Node): number {
    const inputs = node.inputs().map((n) => this.texts.get(n)?.length ?? 8)
    return node.target.length + inputs.reduce((a, b) => a + b, 0)
  }
}

/** Names that the function reads and does not assign: modules, constants. */
function globalNames(search: Fn): string[] {
  const loads = [...within(search.node)].filter((n) => n.type === 'Name' && textField(n, 'ctx') === 'Load')
  return ['torch', ...loads.flatMap((n) => textField(n, 'id') ?? [])].filter((name) => !assigned(search).has(name))
}

const assigned = (fn: Fn): Set<string> =>
  new Set(
    [...within(fn.node)].flatMap((n) =>
      n.type === 'Name' && textField(n, 'ctx') === 'Store' ? [textField(n, 'id')!] : [],
    ),
  )

/** The statements of a function that compute and return its value: everything except a docstring. */
const statementsOf = (fn: Fn): { from: number; to: number } | null => {
  const body = listField(fn.node, 'body')
  const first = body[0]?.type === 'Expr' && body.length > 1 ? body[1] : body[0]
  const last = body.at(-1)
  return first && last ? { from: first.from, to: last.to } : null
}

/** Part of a graph between the values that correspond to parameters and those that correspond to outputs. */
interface Region {
  outputs: readonly Node[]
  /** In graph order. */
  nodes: readonly Node[]
  /** Name of the parameter for each input of the region. */
  inputs: ReadonlyMap<Node, string>
}

/** Maximum number of nodes in a region: a multiple of the pattern's number, plus a constant. */
const MAX_GROWTH = { factor: 2, extra: 10 }
/** Maximum number of regions to try. */
const MAX_REGIONS = 6

/** @param outputs graph nodes in the order of the pattern's outputs */
function regionsFor(site: PatternSite, outputs: readonly Node[]): Region[] {
  const { pattern, alignment, index } = site
  if (!pattern) return []
  const bound = new Map<Node, string>()
  for (const [name, value] of alignment?.bound ?? [])
    if (value instanceof Node && !bound.has(value)) bound.set(value, name)
  const most = pattern.calls.length * MAX_GROWTH.factor + MAX_GROWTH.extra
  const found = [...cuts(site, outputs, bound, most)]
  // The alignment of a different computation may have bound wrong values to the parameters.
  if (bound.size > 0) found.push(...cuts(site, outputs, new Map(), most))
  const order = new Map([...index.nodes].map((n, i) => [n, i]))
  return found.slice(0, MAX_REGIONS).map((r) => ({
    ...r,
    nodes: [...r.nodes].sort((a, b) => order.get(a)! - order.get(b)!),
  }))
}

/** Grows a region from the outputs, the last node first, and yields it whenever its inputs fit the parameters. */
function* cuts(
  site: PatternSite,
  outputs: readonly Node[],
  bound: ReadonlyMap<Node, string>,
  most: number,
): Generator<Region> {
  const nodes = new Set<Node>()
  const leaves = new Set<Node>(outputs)
  const order = new Map([...site.index.nodes].map((n, i) => [n, i]))
  for (let steps = 0; steps <= most; steps++) {
    const open = [...leaves].filter((n) => !bound.has(n) && n.op === 'call_function')
    // A constant has no inputs and is part of the region.
    const last = open.find((n) => n.inputs().length === 0) ?? latest(open, order)
    if (nodes.size > 0 && !open.some((n) => n.inputs().length === 0))
      for (const inputs of assignments(site, [...leaves], bound)) yield { outputs, nodes: [...nodes], inputs }
    if (!last) return
    leaves.delete(last)
    nodes.add(last)
    for (const input of last.inputs()) if (!nodes.has(input)) leaves.add(input)
  }
}

const latest = (nodes: readonly Node[], order: ReadonlyMap<Node, number>): Node | undefined =>
  nodes.reduce<Node | undefined>((best, n) => (!best || order.get(n)! > order.get(best)! ? n : best), undefined)

/** The ways to assign the values to the parameters, by rank and by the alignment. */
function* assignments(
  { entry, pattern }: PatternSite,
  leaves: readonly Node[],
  bound: ReadonlyMap<Node, string>,
): Generator<ReadonlyMap<Node, string>> {
  const { registration } = entry
  if (!('argNames' in registration) || leaves.length !== registration.argNames.length || !pattern) return
  const names = registration.argNames.filter((n) => ![...bound].some(([g, name]) => name === n && leaves.includes(g)))
  const free = leaves.filter((g) => !bound.has(g))
  if (free.length !== names.length || free.length > 4) return
  const rank = (g: Node): number => (g.meta.val?.kind === 'tensor' ? g.meta.val.shape.length : -1)
  const wanted = (name: string): number => {
    const example = registration.exampleInputs[registration.argNames.indexOf(name)]
    return example?.kind === 'tensor' ? example.shape.length : -1
  }
  for (const order of permutations(free))
    if (names.every((n, i) => rank(order[i]!) === wanted(n) && wanted(n) >= 0))
      yield new Map([
        ...leaves.flatMap((g) => (bound.has(g) ? [[g, bound.get(g)!] as const] : [])),
        ...names.map((n, i) => [order[i]!, n] as const),
      ])
}

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield []
  for (const [i, item] of items.entries())
    for (const rest of permutations([...items.slice(0, i), ...items.slice(i + 1)])) yield [item, ...rest]
}
