import { NEWEST_RULES } from '../../base/torch_version'
import { isOverload, Node, type Arg, type NodeOp } from '../../fx'
import { TorchError } from '../../trace/types'
import { FailedMatch } from '../match'
import type { MatchContext } from '../match_context'
import { isClassOf } from './module_class'
import { MULTIPLE, type Users } from './pattern'
import { PatternExpr } from './pattern_expr'

/** Base class of patterns that compare a node's target. */
export abstract class TargetExpr extends PatternExpr {
  private readonly fnsSet: ReadonlySet<string>

  constructor(
    readonly op: NodeOp,
    /** Targets in the form of Node.target; an operator packet (`aten.add`) is followed by its overloads. */
    readonly fns: readonly string[],
    public users: Users = 1,
  ) {
    super()
    this.fnsSet = new Set(fns)
  }

  /** Rules of the pattern's PyTorch version. */
  rules = NEWEST_RULES
  private fnsText: string | null = null

  /** The target in texts: `aten.add.Tensor`, `operator.getitem`, `auto_functionalized`, `[add, ...]`. */
  fnsRepr(): string {
    return (this.fnsText ??= this.makeFnsRepr())
  }

  private makeFnsRepr(): string {
    const [first] = this.fns
    if (first === undefined) return '[]'
    const name = shortName(first)
    if (this.fns.length > 1) return `[${name}, ...]`
    // Functions from torch.functional are also attributes of torch, and print under torch.functional.
    if (!this.rules.operatorNames && first.startsWith('operator.')) return name
    if (/^torch\.functional\.\w+$/.test(first)) return `torch.${name}`
    // A pattern under call_method may list an overload, which can never match: method names have at most one dot.
    return /^(torch|operator)\.\w+$/.test(first) || (isOverload(first) && first.split('.').length > 2) ? first : name
  }

  override hasMultipleUsers(): boolean {
    return this.users === MULTIPLE || this.users > 1
  }

  override *anchorNodes(_ctx: MatchContext, _searched: Set<Node>): IterableIterator<Arg> {
    throw new TorchError('NotImplementedError', '')
  }

  matchFns(node: Arg): node is Node {
    if (!(node instanceof Node) || node.op !== this.op) return false
    return node.op === 'call_module' ? this.fns.some((fn) => isClassOf(fn, node)) : this.fnsSet.has(node.target)
  }

  protected matchUsers(node: Node, ctx: MatchContext): boolean {
    return ctx.outputs.includes(this) || this.users === MULTIPLE || node.users.size === this.users
  }

  protected functionMismatch(node: Arg, short = false): FailedMatch {
    return new FailedMatch({ kind: 'function_mismatch', pattern: this, node, short })
  }

  protected multipleUsers(node: Node, short = false): FailedMatch {
    return new FailedMatch({ kind: 'multiple_users', pattern: this, node, expected: this.users, short })
  }

  /** `repr` of the classes without arguments; PyTorch prints an unbalanced bracket after a user count. */
  protected makeRepr(): string {
    const users = this.users === MULTIPLE ? ', MULTIPLE' : this.users === 1 ? '' : `, ${this.users})`
    return `${this.className}(${this.fnsRepr()}${users})`
  }
}

/** A target's `__name__`: `add.Tensor` for an overload, `add` for a packet, `getitem`. */
function shortName(target: string): string {
  const parts = target.split('.')
  return isOverload(target) ? parts.slice(-2).join('.') : parts.at(-1)!
}
