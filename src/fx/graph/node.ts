/**
 * An FX node and its arguments (torch/fx/node.py). They share a file because their types are one definition: a node has
 * arguments, and an argument may be a node.
 */
import type {
  Complex,
  ConstantValues,
  Device,
  DType,
  EllipsisValue,
  Layout,
  MemoryFormat,
  Opaque,
  OpRef,
  SymExpr,
  Val,
} from '../value'

export type Arg =
  | null
  | boolean
  | bigint
  | number
  | string
  | Node
  | readonly Arg[]
  | Tuple
  | Dict
  | Slice
  | DType
  | Device
  | Layout
  | MemoryFormat
  | OpRef
  | Complex
  | SymExpr
  | EllipsisValue
  | Opaque

export interface Tuple {
  readonly kind: 'tuple'
  readonly items: readonly Arg[]
}
/** A dict with string keys, in insertion order. */
export interface Dict {
  readonly kind: 'dict'
  readonly entries: ReadonlyMap<string, Arg>
}
export interface Slice {
  readonly kind: 'slice'
  readonly start: Arg
  readonly stop: Arg
  readonly step: Arg
}

export const tuple = (items: readonly Arg[]): Tuple => ({ kind: 'tuple', items })
export const dict = (entries: ReadonlyMap<string, Arg>): Dict => ({ kind: 'dict', entries })
export const slice = (start: Arg, stop: Arg, step: Arg = null): Slice => ({ kind: 'slice', start, stop, step })

/** The order is part of the format of links (src/compact): append only. */
export const NODE_OPS = ['placeholder', 'call_function', 'call_method', 'call_module', 'get_attr', 'output'] as const
export type NodeOp = (typeof NODE_OPS)[number]

/** The source line that a node came from: of the model, if the dump shows it; of the pattern, for traced nodes. */
export interface SourceRef {
  file: string
  line: number
  /** The function, if known. */
  fn?: string
  /** The text of the line, when known. */
  code?: string
  /** The expressions that led here, innermost first; recorded only on request (PythonHost.run). */
  spans?: readonly SourceSpan[]
}

/** Span of an expression: lines from 1; columns from 0, counted in UTF-8 bytes, as in Python's ast. */
export type SourceSpan = readonly [file: string, line: number, column: number, endLine: number, endColumn: number]

export interface NodeMeta {
  val?: Val
  source?: SourceRef
  /** node.meta["custom"]: streams, memory pools and user-defined entries. */
  custom?: Readonly<Record<string, unknown>>
  /** Further keys of node.meta, as `print_readable(additional_meta=["stream_label"])` prints them. */
  additional?: Readonly<Record<string, unknown>>
  /** For a get_attr of a constant tensor: its values, if known. The pattern matcher compares them. */
  constant?: ConstantValues
  /** For a get_attr in a traced graph: true if the tensor was created outside the trace. */
  outerConstant?: boolean
  /** For a call_module: the class of its module, `Linear` or with the module that defines it. */
  moduleClass?: string
  /** One entry for a placeholder, one per value for the output: the signature of an exported program. */
  signature?: readonly SignatureEntry[]
  /** Line of the graph text the node was read from, from 1. */
  textLine?: number
  /** The user's line that created the node while a stage ran on the shown graph: torch.fx gives such a node no `val`. */
  madeAt?: SourceRef
}

/** The role of an exported program's input or output: `PARAMETER` with the path `fc.weight`. */
export interface SignatureEntry {
  /** A name of InputKind or OutputKind. */
  kind: string
  target: string | null
  /** For a buffer: whether the state dict contains it. */
  persistent: boolean | null
}

/** The part of the owning graph's interface that Node needs; graphOf (graph.ts) returns the Graph. */
export interface NodeOwner {
  find(name: string): Node | null
}

const NO_ARGS: readonly Arg[] = []
/** Shared empty kwargs; most nodes have none. */
export const NO_KWARGS: ReadonlyMap<string, Arg> = new Map()

/** Most nodes have one to three inputs, for which a set costs more than it saves. */
const FEW_INPUTS = 8

export class Node {
  readonly users = new Set<Node>()
  prev: Node
  next: Node
  /** Position key; only comparisons are meaningful. Maintained by Graph. */
  sortKey = 0
  erased = false
  meta: NodeMeta = {}
  private _args: readonly Arg[] = NO_ARGS
  private _kwargs: ReadonlyMap<string, Arg> = NO_KWARGS
  /** The Python type annotation of a placeholder (`torch.Tensor`), or null. */
  type: string | null = null

  /** Only Graph creates nodes: use Graph.createNode. */
  constructor(
    readonly graph: NodeOwner,
    public name: string,
    readonly op: NodeOp,
    /**
     * Qualified name without `torch.ops.`: `aten.add.Tensor`, `higher_order.auto_functionalized`, `_C.rms_norm.default`;
     * other functions as Python names them: `operator.getitem`, `torch.nn.functional.relu`, with `python:` before those
     * outside torch, operator, math and builtins (`python:my_model.fn`; see target.ts); the attribute, argument or method
     * name for the other ops; `output` for output.
     */
    public target: string,
  ) {
    this.prev = this
    this.next = this
  }

  get args(): readonly Arg[] {
    return this._args
  }

  set args(args: readonly Arg[]) {
    this.setArgs(args, this._kwargs)
  }

  get kwargs(): ReadonlyMap<string, Arg> {
    return this._kwargs
  }

  set kwargs(kwargs: ReadonlyMap<string, Arg>) {
    this.setArgs(this._args, kwargs)
  }

  /** Replaces the arguments and updates `users` of the old and new inputs. */
  setArgs(args: readonly Arg[], kwargs: ReadonlyMap<string, Arg>): void {
    for (const a of this._args) this.unuse(a)
    if (this._kwargs.size > 0) for (const a of this._kwargs.values()) this.unuse(a)
    this._args = args
    this._kwargs = kwargs
    for (const a of args) this.use(a)
    if (kwargs.size > 0) for (const a of kwargs.values()) this.use(a)
  }

  private use(arg: Arg): void {
    if (arg instanceof Node) arg.users.add(this)
    else if (typeof arg === 'object') visitNodes(arg, (n) => n.users.add(this))
  }

  private unuse(arg: Arg): void {
    if (arg instanceof Node) arg.users.delete(this)
    else if (typeof arg === 'object') visitNodes(arg, (n) => n.users.delete(this))
  }

  /** Distinct input nodes, in the order of args, then kwargs (FX's all_input_nodes). */
  inputs(): Node[] {
    const found: Node[] = []
    let seen: Set<Node> | null = null
    this.visitInputs((n) => {
      if (seen ? seen.has(n) : found.includes(n)) return
      found.push(n)
      if (seen) seen.add(n)
      else if (found.length > FEW_INPUTS) seen = new Set(found)
    })
    return found
  }

  private visitInputs(fn: (n: Node) => void): void {
    for (const a of this._args) visitNodes(a, fn)
    if (this._kwargs.size > 0) for (const a of this._kwargs.values()) visitNodes(a, fn)
  }

  /** Replaces every use of this node with `replacement`. Returns the changed users. */
  replaceAllUsesWith(replacement: Node): Node[] {
    const changed = [...this.users]
    for (const user of changed) user.replaceInput(this, replacement)
    return changed
  }

  replaceInput(old: Node, replacement: Arg): void {
    const used = old.users.delete(this)
    // As in FX, which sets all arguments again, the user becomes the last user of each input. If it is the only user
    // (the usual case, even in a graph with thousands of outputs), it already is.
    this.visitInputs((n) => {
      if (n !== old && n.users.size > 1 && n.users.delete(this)) n.users.add(this)
    })
    if (!used) return
    ;[this._args, this._kwargs] = mapArgs(this._args, this._kwargs, (n) => (n === old ? replacement : n))
    visitNodes(replacement, (n) => n.users.add(this))
  }

  /** True if this node comes before `other` in the graph's order. */
  isBefore(other: Node): boolean {
    return this.sortKey < other.sortKey
  }

  toString(): string {
    return this.name
  }
}

/** Calls `fn` for each node inside an argument, in order, including repeats. */
export function visitNodes(arg: Arg, fn: (n: Node) => void): void {
  if (typeof arg !== 'object' || arg === null) return
  if (arg instanceof Node) fn(arg)
  else if (Array.isArray(arg)) for (const a of arg as readonly Arg[]) visitNodes(a, fn)
  else if ('kind' in arg) {
    if (arg.kind === 'tuple') for (const a of arg.items) visitNodes(a, fn)
    else if (arg.kind === 'dict') for (const a of arg.entries.values()) visitNodes(a, fn)
    else if (arg.kind === 'slice') {
      visitNodes(arg.start, fn)
      visitNodes(arg.stop, fn)
      visitNodes(arg.step, fn)
    }
  }
}

/** A copy of an argument in which `fn(node)` replaces each node (FX's map_arg). */
export function mapArg(arg: Arg, fn: (n: Node) => Arg): Arg {
  if (arg instanceof Node) return fn(arg)
  if (Array.isArray(arg)) return (arg as readonly Arg[]).map((a) => mapArg(a, fn))
  if (typeof arg === 'object' && arg !== null && 'kind' in arg) {
    if (arg.kind === 'tuple') return tuple(arg.items.map((a) => mapArg(a, fn)))
    if (arg.kind === 'dict') return dict(new Map([...arg.entries].map(([k, v]) => [k, mapArg(v, fn)])))
    if (arg.kind === 'slice') return slice(mapArg(arg.start, fn), mapArg(arg.stop, fn), mapArg(arg.step, fn))
  }
  return arg
}

/** A node's arguments under mapArg, in the form that setArgs and createNode take. */
export function mapArgs(
  args: readonly Arg[],
  kwargs: ReadonlyMap<string, Arg>,
  fn: (n: Node) => Arg,
): [args: Arg[], kwargs: ReadonlyMap<string, Arg>] {
  const mapped = args.map((a) => mapArg(a, fn))
  if (kwargs.size === 0) return [mapped, kwargs]
  const named = new Map<string, Arg>()
  for (const [k, v] of kwargs) named.set(k, mapArg(v, fn))
  return [mapped, named]
}
