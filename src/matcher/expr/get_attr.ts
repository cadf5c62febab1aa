import { fakeRepr, graphOf, Node, printModule, printModuleCode, type Arg, type Graph } from '../../fx'
import { constantRepr, constantsEqual, constantStr, tensorRepr, type TensorConstant } from '../constant'
import { FailedMatch, Match, type MatchResult } from '../match'
import type { MatchContext } from '../match_context'
import { TorchError } from '../../trace/types'
import { MULTIPLE, type Users } from './pattern'
import { PatternExpr } from './pattern_expr'

/**
 * Matches a get_attr node by the attribute's value, because its name is local to the traced module. Modules (branches of
 * torch.cond) are compared by identity: that of a pattern never equals that of a graph.
 */
export class GetAttr extends PatternExpr {
  constructor(
    readonly value: TensorConstant | null,
    /** The attribute's name in the traced graph, for a non-tensor value. */
    readonly target: string,
    public users: Users = 1,
    /** True for a hand-written pattern: torch.tensor(…) in its source creates a fake tensor. */
    private readonly fake: boolean = false,
    /** The traced branch of a higher-order operator. */
    readonly module: Graph | null = null,
  ) {
    super()
  }

  override readonly className = 'GetAttr'

  override hasMultipleUsers(): boolean {
    return this.users === MULTIPLE || this.users > 1
  }

  matchNode(node: Arg, ctx: MatchContext): MatchResult {
    if (!(node instanceof Node) || node.op !== 'get_attr')
      return new FailedMatch({ kind: 'get_attr_mismatch', pattern: this, node })
    if (!ctx.outputs.includes(this) && this.users !== MULTIPLE && node.users.size !== this.users)
      return new FailedMatch({ kind: 'multiple_users', pattern: this, node, expected: this.users, short: false })
    const value = constantOf(node)
    if (!value || !this.value || !constantsEqual(this.value, value)) {
      const module = graphOf(node).subgraphs.get(node.target)
      const found = value ? constantStr(value) : module ? printModuleCode(module) : node.target
      const expected = this.isUnknown()
        ? fakeRepr(this.value.meta)
        : this.value
          ? constantStr(this.value)
          : this.moduleText()
      return new FailedMatch({ kind: 'get_attr_value', pattern: this, node, expected, found })
    }
    const m = new Match(ctx, this)
    m.addNode(node)
    return m
  }

  protected makeRepr(): string {
    const value = this.value && (this.fake ? fakeRepr(this.value.meta) : tensorRepr(this.value))
    return `GetAttr(${value ?? this.moduleName()}${this.usersText()})`
  }

  private moduleText(): string {
    return this.module ? printModuleCode(this.module) : this.target
  }

  private moduleName(): string {
    return this.module ? printModule(this.module) : this.target
  }

  /** A fake tensor with several elements loses its values at creation. */
  private isUnknown(): this is { value: TensorConstant } {
    return this.fake && this.value?.values === null
  }

  override prettyPrint(): string {
    if (this.isUnknown()) throw new TorchError('NotImplementedError', 'NYI: serializing fake get_attr tensor')
    return `GetAttr(${this.value ? constantRepr(this.value) : this.moduleName()}${this.usersText()})`
  }

  private usersText(): string {
    return this.users === 1 ? '' : `, ${this.users}`
  }
}

/** The tensor constant that a get_attr node reads; null if the graph does not identify it as one. */
export function constantOf(node: Node): TensorConstant | null {
  const val = node.meta.val
  if (val?.kind !== 'tensor') return null
  return { meta: val, values: node.meta.constant ?? null }
}
