/** Turns a traced graph into a PatternExpr. */
import { NEWEST_RULES, type TorchRules } from '../base/torch_version'
import { graphOf, Node, printNode, type Arg, type DType, type Graph, type Tuple, isGetitem } from '../fx'
import { asserted, RefusedRegistration } from './reasons/refusal'
import { TorchError } from '../trace/types'
import { containerParts } from './expr/arg_text'
import { MultiOutputPattern } from './expr/combined'
import { constantOf, GetAttr } from './expr/get_attr'
import { ExclusiveKeywordArg, Ignored, KeywordArg } from './expr/leaves'
import { PatternExpr, type PatternArg } from './expr/pattern_expr'
import { TargetExpr } from './expr/target'
import { CallFunction } from './expr/target_args'
import { pyEqual, pyRepr, pyTypeName } from './py'

/** Constants of exactly these types become `Ignored()`; bool, None, str and operators never do. */
export type IgnoreType = 'int' | 'float' | 'list' | 'device' | 'dtype'
export const INITIAL_IGNORE_TYPES: readonly IgnoreType[] = ['int', 'float', 'list', 'device', 'dtype']

export interface FxToPatternOptions {
  ignoreTypes?: readonly IgnoreType[]
  /** Nodes whose floats are exact although `ignoreTypes` has floats. */
  exactFloats?: ReadonlySet<Node>
  /** Names for the placeholders, in order; by default the placeholder's own name without its number. */
  argNames?: readonly string[]
  /** Constants that stand for arguments: a constant equal to one of these values becomes the argument of that name. */
  scalarWorkaround?: ReadonlyMap<string, bigint | number | boolean> | null
  exclusiveArgNames?: readonly string[]
  /**
   * True if the traced function takes lists: torch.fx then flattens and unflattens its inputs and outputs, so the
   * output node's user count is lost.
   */
  nestedInputs?: boolean
  /** Default: the newest PyTorch's. */
  rules?: TorchRules
}

/** @throws TorchError for what PyTorch raises: an output that is not a node, a first output that is an argument */
export function fxToPattern(graph: Graph, options: FxToPatternOptions = {}): PatternExpr {
  return new Converter(options).run(graph)
}

class Converter {
  private readonly env = new Map<Node, PatternExpr>()
  private readonly ignore: ReadonlySet<string>
  private readonly ignoreInGetitem: ReadonlySet<string>
  private readonly workaround: readonly (readonly [Arg, string])[]
  private readonly rules: TorchRules
  private argNumber = 0

  constructor(private readonly options: FxToPatternOptions) {
    this.rules = options.rules ?? NEWEST_RULES
    this.ignore = new Set(options.ignoreTypes ?? [])
    // The index of a getitem node is essential, so an int there is never ignored.
    this.ignoreInGetitem = new Set([...this.ignore].filter((t) => t !== 'int'))
    const entries = [...(options.scalarWorkaround ?? [])]
    this.workaround = entries.map(([name, value]) => [value, name] as const)
    if (entries.some(([, v], i) => entries.slice(0, i).some(([, w]) => pyEqual(v, w))))
      throw asserted('scalar_workaround has duplicate values', this.rules)
  }

  run(graph: Graph): PatternExpr {
    let index = 0
    for (const node of graph.nodes()) {
      if (node.op === 'output') return this.output(node)
      const expr = this.convert(node)
      expr.patternNode = index++
      if (expr instanceof TargetExpr || expr instanceof GetAttr) expr.users = node.users.size
      this.env.set(node, expr)
    }
    throw new TorchError('RuntimeError', 'the traced graph has no output')
  }

  private convert(node: Node): PatternExpr {
    switch (node.op) {
      case 'placeholder':
        return this.placeholder(node)
      case 'get_attr':
        if (this.rules.getAttrPatterns) return attribute(node)
        throw whileExecuting(new TorchError('NotImplementedError', ''), node, this.rules)
      case 'call_function':
        return this.callFunction(node)
      default:
        throw whileExecuting(new TorchError('NotImplementedError', ''), node, this.rules)
    }
  }

  private placeholder(node: Node): PatternExpr {
    const { argNames = [], exclusiveArgNames = [] } = this.options
    const n = this.argNumber++
    let name = node.target
    if (n < argNames.length) name = argNames[n]!
    else if (argNames.length === 0) name = name.replace(/_\d+$/, '')
    else if (!name.startsWith('tangent'))
      throw whileExecuting(
        asserted(`expected target to start with 'tangent', got ${name}`, this.rules),
        node,
        this.rules,
      )
    return exclusiveArgNames.includes(name) ? new ExclusiveKeywordArg(name) : new KeywordArg(name)
  }

  private callFunction(node: Node): PatternExpr {
    let ignore = isGetitem(node) ? this.ignoreInGetitem : this.ignore
    if (this.options.exactFloats?.has(node)) ignore = new Set([...ignore].filter((t) => t !== 'float'))
    const convert = (a: Arg): PatternArg => {
      const leafwise = this.mapLeaves(a, ignore)
      return this.ignore.has('list') ? this.burnedInList(leafwise) : leafwise
    }
    const made = new CallFunction(
      [node.target],
      node.args.map(convert),
      new Map([...node.kwargs].map(([k, v]) => [k, convert(v)])),
    )
    made.rules = this.rules
    return made
  }

  private mapLeaves(arg: Arg, ignore: ReadonlySet<string>): PatternArg {
    if (arg instanceof Node) return this.env.get(arg)!
    const parts = containerParts(arg)
    if (!parts) return this.leaf(arg, ignore)
    if (parts.kind === 'dict')
      return {
        kind: 'pattern_dict',
        entries: parts.entries.map(([k, v]) => [k, this.mapLeaves(v as Arg, ignore)] as const),
      }
    return {
      kind: parts.kind === 'list' ? 'pattern_list' : 'pattern_tuple',
      items: (parts.items as readonly Arg[]).map((a) => this.mapLeaves(a, ignore)),
    }
  }

  private leaf(x: Arg, ignore: ReadonlySet<string>): PatternArg {
    if (typeof x === 'number' || typeof x === 'bigint' || typeof x === 'boolean') {
      const name = this.workaround.find(([value]) => pyEqual(value, x))?.[1]
      if (name !== undefined) return new KeywordArg(name)
    }
    return ignore.has(exactType(x)) ? new Ignored() : x
  }

  /** A literal size list is `[Ignored(), Ignored(), …]` at this point: the whole list is ignored. */
  private burnedInList(arg: PatternArg): PatternArg {
    const parts = containerParts(arg)
    if (parts?.kind !== 'list' || parts.items.length === 0) return arg
    return parts.items.every((i) => i instanceof Ignored) ? new Ignored() : arg
  }

  private output(node: Node): PatternExpr {
    const value = node.args[0] ?? null
    if (value instanceof Node) {
      const expr = this.env.get(value)!
      // The output node's user count applies to a single output and is skipped when matching.
      if (!this.options.nestedInputs && (expr instanceof TargetExpr || expr instanceof GetAttr))
        expr.users = node.users.size
      return expr
    }
    const parts = containerParts(value)
    if (!parts) throw refused(value, null, whileExecuting(noUsers(value, true), node, this.rules))
    if (parts.kind === 'tuple' && !this.options.nestedInputs)
      for (const [i, item] of (value as Tuple).items.entries())
        if (!(item instanceof Node)) throw refused(item, i, whileExecuting(noUsers(item), node, this.rules))
    const outputs: (PatternExpr | null)[] = []
    leaves(value, (x) => {
      if (x instanceof Node) outputs.push(this.env.get(x)!)
      else if (x === null) outputs.push(null)
      else throw new TorchError('AssertionError', `[${pyRepr(x)}]`)
    })
    return new MultiOutputPattern(outputs, this.rules)
  }
}

/** A constant of the traced module; PyTorch's fake of a tensor created outside the trace has no value. */
function attribute(node: Node): GetAttr {
  const module = graphOf(node).subgraphs.get(node.target) ?? null
  return new GetAttr(constantOf(node), node.target, 1, node.meta.outerConstant ?? false, module)
}

function leaves(arg: Arg, fn: (leaf: Arg) => void): void {
  const parts = arg instanceof Node ? null : containerParts(arg)
  if (!parts) fn(arg)
  else if (parts.kind === 'dict') for (const [, v] of parts.entries) leaves(v as Arg, fn)
  else for (const item of parts.items) leaves(item as Arg, fn)
}

/** `type(x)` as in the ignore list; '' for types that it does not contain. */
function exactType(x: Arg): string {
  if (typeof x === 'bigint') return 'int'
  if (typeof x === 'number') return 'float'
  if (typeof x !== 'object' || x === null || x instanceof Node || Array.isArray(x)) return ''
  const kind = (x as DType).kind as string
  return kind === 'dtype' || kind === 'device' ? kind : ''
}

function noUsers(x: Arg, alone = false): TorchError {
  const type = pyTypeName(x)
  const more = alone && type !== 'tuple' ? ' and no __dict__ for setting new attributes' : ''
  return new TorchError('AttributeError', `'${type}' object has no attribute 'users'${more}`)
}

/** The error of an output without users, which names its position if it is None; null: the whole output. */
const refused = (x: Arg, output: number | null, e: TorchError): TorchError =>
  x === null ? new RefusedRegistration('none-output', e.pythonType, e.message, output) : e

/** The text that torch.fx.Interpreter adds to the message of an exception raised by a node. */
const TLPARSE =
  '\nUse tlparse to see full graph. (https://github.com/pytorch/tlparse?tab=readme-ov-file#tlparse-parse-structured-pt2-logs)'

export function whileExecuting(e: TorchError, node: Node, rules: TorchRules = NEWEST_RULES): TorchError {
  const suffix = `While executing ${printNode(node)}\nOriginal traceback:\nNone${rules.tlparseHint ? TLPARSE : ''}`
  return new TorchError(e.pythonType, e.message ? `${e.message}\n\n${suffix}` : suffix)
}
