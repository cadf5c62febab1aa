/**
 * Shapes of a graph whose text has none (`print(graph)`): the operators run over fake tensors, from the nodes whose
 * shape is known, and each result becomes its node's `meta.val`.
 */
import {
  formatArg,
  formatVal,
  type Arg,
  type Graph,
  type Node,
  type Val,
  isGetitem,
  type Dim,
  type TensorMeta,
  isKind,
} from '../fx'
import type { DispatchArg } from '../ops/fake'
import { inferOutputs } from '../fx/readers/infer_outputs'
import { argumentValues } from './argument_values'
import { MissingSources } from './missing_sources'
import { calledBy, isOfUser, ofVal } from './propagate'
import { valOf } from './recorder'
import type { Tracer } from './types'
import { sameDim } from '../ops/sym'

/** A node whose shape does not follow from other nodes: an input, or a call without a shape rule. */
export interface ShapeSource {
  node: Node
  /** Why its operator yields no shape; null for an input. */
  error: string | null
  /** True if PyTorch raises for these inputs; false if Fusescope has no rule. */
  raised: boolean
}

export interface FilledShapes {
  /** Nodes without a shape that determine the shapes of the others, in graph order. */
  sources: ShapeSource[]
  /** The nodes without a shape, with the sources that they depend on. */
  missing: MissingSources
  /** Results of undeclared operators that were guessed: the first of equal calls. */
  guessed: ReadonlyMap<Node, GuessedResult>
  /** True if an operator was not run because `runs` excludes it. */
  heldBack: boolean
}

/**
 * True for a graph whose text leaves out shapes: a used input has none, or most calls have none. Even a complete text lacks shapes
 * for a few calls, such as those with several outputs.
 */
export function lacksShapes(graph: Graph): boolean {
  let calls = 0
  let without = 0
  for (const n of graph.nodes()) {
    if (isInput(n)) {
      if (!n.meta.val && needsShape(n, graph)) return true
    } else if (n.op !== 'output' && n.users.size > 0) {
      calls++
      if (!n.meta.val) without++
    }
  }
  return without * 2 > calls
}

/**
 * Sets `meta.val` of every node without one whose inputs are known. Nodes may be in any order that a text can have; one
 * that uses a later node stays without.
 * @param runs whether an operator is run: without Python, only those that need no user definition
 */
export function fillShapes(graph: Graph, tracer: Tracer, runs: (target: string) => boolean = () => true): FilledShapes {
  inferOutputs(graph)
  const fill = new Fill(graph, tracer, runs)
  for (const node of graph.nodes()) if (node.op !== 'output') fill.visit(node)
  return { sources: fill.sources, missing: fill.missing, guessed: fill.guessed, heldBack: fill.heldBack }
}

class Fill {
  readonly sources: ShapeSource[] = []
  readonly missing = new MissingSources()
  readonly guessed = new Map<Node, GuessedResult>()
  heldBack = false
  private floats: string[] | null = null
  private readonly values = new Map<Node, DispatchArg>()
  /** Results of undeclared operators by operator and inputs: equal layers need one shape. */
  private readonly seen = new Map<string, Val>()

  constructor(
    private readonly graph: Graph,
    private readonly tracer: Tracer,
    private readonly runs: (target: string) => boolean,
  ) {}

  visit(node: Node): void {
    if (node.meta.val) {
      this.values.set(node, ofVal(node.meta.val, this.tracer))
      const key = this.undeclaredKey(node)
      if (key !== null && !this.seen.has(key)) this.seen.set(key, node.meta.val)
      return
    }
    const from = node.inputs().filter((input) => this.missing.has(input))
    if (from.length > 0) return this.missing.addDependent(node, from)
    const source = isInput(node) ? inputSource(node, this.graph) : this.compute(node)
    if (!source) return
    const items = itemsOf(source)
    this.missing.addSource(
      node,
      items.map((i) => i.node),
    )
    this.sources.push(...items)
  }

  /** Runs a node's operator. Returns the node as a source if the operator yields no shape. */
  private compute(node: Node): ShapeSource | null {
    this.heldBack ||= node.op === 'call_function' && !this.runs(node.target)
    const key = this.undeclaredKey(node)
    const known = key === null ? undefined : (this.seen.get(key) ?? this.guess(node))
    if (known) {
      node.meta.val = known
      this.seen.set(key!, known)
      this.values.set(node, ofVal(known, this.tracer))
      return null
    }
    const target = calledBy(node)
    if (key !== null || node.op === 'call_module' || !this.runs(target))
      return { node, error: `${node.target} has no shape rule`, raised: false }
    try {
      const made = this.tracer.infer(target, ...argumentValues(node, this.values))
      this.values.set(node, made)
      // An operator that returns nothing has no val.
      const val = made === null ? null : valOf(made)
      if (val) node.meta.val = val
      return null
    } catch (e) {
      if (!isOfUser(e)) throw e
      const { pythonType, message } = e as Error & { pythonType: string }
      const raised = !/NotImplementedError|UnsupportedOperatorException$/.test(pythonType)
      return { node, error: raised ? `${pythonType}: ${message}` : `${node.target} has no shape rule`, raised }
    }
  }

  private guess(node: Node): Val | undefined {
    if (!this.runs(node.target)) return undefined
    this.floats ??= floatsOf([...this.graph.nodes()].map((n) => n.meta.val))
    const guessed = guessResult(node, this.floats)
    if (!guessed) return undefined
    const val = guessed.val.kind === 'tensor' ? this.tracer.fake(guessed.val).meta : guessed.val
    this.guessed.set(node, { ...guessed, val })
    return val
  }

  /** A key for a call of an undeclared operator, whose result is unknown: equal for equal calls. */
  private undeclaredKey(node: Node): string | null {
    const target = calledBy(node)
    if (node.op !== 'call_function' || DECLARED.test(target) || this.tracer.schemaOf(target)) return null
    const args = [...node.args, ...node.kwargs].map((a) => formatArg(a as Arg))
    const vals = node.inputs().map((n) => (n.meta.val ? formatVal(n.meta.val) : n.name))
    // Names of nodes differ between layers, so the key contains their metadata.
    return [node.target, ...args.map((a) => a.replace(/%\w+/g, '%')), ...vals].join('\u0000')
  }
}

const DECLARED = /^_?(?:aten|prims|operator|math|torch|builtins|higher_order)\./

const isInput = (n: Node): boolean => n.op === 'placeholder' || n.op === 'get_attr'

/** False for an unused input, and for the body of a higher-order operator. */
const needsShape = (n: Node, graph: Graph): boolean =>
  n.users.size > 0 &&
  !(n.op === 'get_attr' && (graph.subgraphs.has(n.target) || [...n.users].every((u) => isBodyOf(n, u))))

const isBodyOf = (n: Node, user: Node): boolean =>
  user.target.startsWith('higher_order.') &&
  !user.target.startsWith('higher_order.auto_functionalized') &&
  user.args.includes(n)

const inputSource = (node: Node, graph: Graph): ShapeSource | null =>
  needsShape(node, graph) ? { node, error: null, raised: false } : null

/** For an operator with several outputs: its items, whose shapes the user can give. */
function itemsOf(source: ShapeSource): ShapeSource[] {
  const users = [...source.node.users]
  if (isInput(source.node) || users.length === 0 || !users.every((u) => isGetitem(u))) return [source]
  return users.map((node) => ({ ...source, node }))
}

/**
 * The likely result of an undeclared operator, such as a vendor's quantized product, judged by its name and inputs. The result is
 * marked as a guess wherever it is shown.
 */
interface GuessedResult {
  val: Val
  /** The origin of the guess, as the end of "from …". */
  source: string
}

const PRODUCT = /(?:^|[_.\d])(?:[a-z]*mm|[a-z]*matmul|[a-z]*gemm|[a-z]*linear)(?:$|[_.\d])/

const FLOATS: ReadonlySet<string> = new Set(['bfloat16', 'float16', 'float32'])

/** @param floats dtypes of the graph's tensors, most frequent first */
function guessResult(node: Node, floats: readonly string[]): GuessedResult | null {
  if (node.users.size === 0 || [...node.users].some((u) => isGetitem(u))) return null
  const tensors = node.inputs().flatMap((n) => (n.meta.val?.kind === 'tensor' ? [{ node: n, meta: n.meta.val }] : []))
  const first = tensors[0]
  if (!first || tensors.length < node.inputs().length) return null
  const name = node.target.split('.').slice(0, 2).join('.')
  if (!PRODUCT.test(name))
    return { val: contiguous(first.meta, first.meta.shape, first.meta.dtype), source: `its input ${first.node.name}` }
  for (const second of tensors.slice(1)) {
    const shape = productShape(first.meta.shape, second.meta.shape)
    if (!shape) continue
    const dtype =
      namedDtype(node) ?? (FLOATS.has(first.meta.dtype) ? first.meta.dtype : (floats[0] ?? first.meta.dtype))
    return {
      val: contiguous(first.meta, shape, dtype),
      source: `the product of ${first.node.name} and ${second.node.name}`,
    }
  }
  return null
}

/** `[…, k]` by `[k, n]` or `[n, k]`. */
function productShape(a: readonly Dim[], b: readonly Dim[]): Dim[] | null {
  if (a.length === 0 || b.length !== 2) return null
  const k = a.at(-1)!
  if (sameDim(b[0]!, k)) return [...a.slice(0, -1), b[1]!]
  return sameDim(b[1]!, k) ? [...a.slice(0, -1), b[0]!] : null
}

const contiguous = ({ device }: TensorMeta, shape: readonly Dim[], dtype: string): TensorMeta => ({
  kind: 'tensor',
  dtype,
  shape,
  stride: null,
  device,
})

/** The one dtype among a call's arguments: `output_dtype`. */
function namedDtype(node: Node): string | null {
  const dtypes = [...node.args, ...node.kwargs.values()].flatMap((a: Arg) => (isKind(a, 'dtype') ? [a.name] : []))
  return dtypes.length === 1 ? dtypes[0]! : null
}

/** Dtypes of activations, most frequent first. */
function floatsOf(vals: Iterable<Val | undefined>): string[] {
  const counts = new Map<string, number>()
  for (const val of vals)
    if (val?.kind === 'tensor' && FLOATS.has(val.dtype)) {
      // A float32 together with 16-bit floats is a scale or an intermediate.
      const weight = val.dtype === 'float32' ? 0.25 : 1
      counts.set(val.dtype, (counts.get(val.dtype) ?? 0) + weight)
    }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([dtype]) => dtype)
}
