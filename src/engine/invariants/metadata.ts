/**
 * Kinds `output` and `metadata`: a replacement value has the dtype, shape, stride and device of the matched value, and
 * each edited node's metadata is what its operator computes from its inputs. A violation includes its consequences.
 */
import { code, message, node as nodePart, nodeAfter, operator, worded, type Message } from '../../base/message'
import {
  formatRepr,
  formatVal,
  Node,
  type Arg,
  type Val,
  operatorOf,
  type Device,
  type Dim,
  type TensorMeta,
} from '../../fx'
import { isNative } from '../../explain/reasons/native'
import type { Blame } from './blame'
import { argumentsNow, type Changes, type Swap } from './changes'
import type { Recompute } from './recompute'
import type { Violation } from './types'
import { subDims } from '../../ops/sym'

export function metadataKept(changes: Changes, recompute: Recompute, blame: Blame): Violation[] {
  return new Metadata(changes, recompute, blame).check()
}

/** A violation and the nodes whose metadata it invalidates. */
interface Root {
  violation: Violation
  stale: Node[]
  reachesOutput: boolean
  /**
   * For strides only: the node that requires these strides. Without one there is no violation: PyTorch's operators
   * accept
   * any strides, and Inductor chooses strides itself and restores those of the graph's outputs.
   */
  strides: { readBy: Node | null } | null
}

class Metadata {
  private readonly roots: Root[] = []
  /** A node's actual metadata, if `meta.val` is absent or differs. */
  private readonly now = new Map<Node, Val>()
  /** The violation that invalidates a node's value. */
  private readonly rootOf = new Map<Node, Root>()
  private readonly pending: Set<Node>

  constructor(
    private readonly changes: Changes,
    private readonly recompute: Recompute,
    private readonly blame: Blame,
  ) {
    // Equal inputs give equal metadata, and traced metadata needs no second computation.
    this.pending = new Set([
      ...changes.added.filter((n) => !n.meta.val || !blame.isAsTraced(n)),
      ...changes.changed.filter(({ swaps }) => !swaps?.every((s) => this.isSame(s))).map((c) => c.node),
    ])
  }

  check(): Violation[] {
    this.outputs()
    if (this.pending.size > 0)
      for (const node of this.changes.graph.nodes()) if (this.pending.has(node)) this.visit(node)
    return this.roots.filter((r) => !r.strides || r.strides.readBy).map(withWholeMessage)
  }

  /** Values that replaced a matched value for users outside the match. */
  private outputs(): void {
    const seen = new Set<string>()
    for (const { node: user, swaps } of this.changes.changed)
      for (const [was, is] of swaps ?? []) {
        const found = this.swapped(user, was, is)
        if (!found) continue
        const at = is instanceof Node ? is : user
        const key = `${was.name} ${at.name}`
        if (seen.has(key) || this.blame.ofOld(user.name) !== null) continue
        seen.add(key)
        const now =
          at === is
            ? message`${nodeAfter(at.name)}, which replaced it, is ${code(found.is)}`
            : message`${code(found.is)} is returned in its place`
        this.add('output', at, was, found, message`${nodePart(was.name)} was ${code(found.was)}, and ${now}`)
      }
  }

  /** True if both are known and equal. */
  private isSame([was, is]: Swap): boolean {
    const before = this.changes.valBefore(was)
    return before !== undefined && is instanceof Node && is.meta.val !== undefined && !difference(before, is.meta.val)
  }

  private swapped(user: Node, was: Node, is: Arg): Difference | null {
    const before = this.changes.valBefore(was)
    if (is instanceof Node) return difference(before, is.meta.val)
    // An operator may accept a non-tensor in place of a tensor; the graph's caller does not.
    if (user.op !== 'output' || before?.kind !== 'tensor') return null
    return { what: 'kind', was: formatVal(before), is: formatRepr(is) }
  }

  private add(kind: 'output' | 'metadata', node: Node, before: Node | null, found: Difference, parts: Message): void {
    const match = this.blame.ofNew(node.name) ?? (before && this.blame.ofOld(before.name))
    const violation: Violation = {
      kind,
      node: node.name,
      before: before?.name ?? null,
      match,
      was: found.was,
      is: found.is,
      ...worded(parts),
    }
    const strides = found.what === 'stride' ? { readBy: null } : null
    const root: Root = { violation, stale: [], reachesOutput: false, strides }
    this.roots.push(root)
    this.rootOf.set(node, root)
  }

  private visit(node: Node): void {
    const root = this.rootAmongInputs(node)
    if (node.op === 'output') {
      if (root) root.reachesOutput = true
      return
    }
    if (root?.strides && takesStrides(node)) root.strides.readBy ??= node
    const is = this.recompute.of(node, argumentsNow(node), (n) => this.now.get(n) ?? n.meta.val)
    if (!is || !this.isTrusted(node)) return
    if ('raised' in is) return this.refused(node, is.raised)
    const said = node.meta.val
    const found = difference(said, is.val)
    if (said && !found) return
    this.now.set(node, is.val)
    if (!said) {
      if (root) this.follow(node, root)
      return
    }
    if (root) root.stale.push(node)
    else {
      const parts = message`the metadata of ${nodeAfter(node.name)} is ${code(found!.was)}, but its operator returns ${code(found!.is)} for its inputs`
      this.add('metadata', node, null, found!, parts)
    }
    this.follow(node, this.rootOf.get(node) ?? root!)
  }

  private follow(node: Node, root: Root): void {
    if (!this.rootOf.has(node)) this.rootOf.set(node, root)
    for (const user of node.users) this.pending.add(user)
  }

  private refused(node: Node, raised: string): void {
    const said = node.meta.val
    const was = said ? formatVal(said) : 'a value'
    const parts = message`the metadata of ${nodeAfter(node.name)} is ${code(was)}, but its operator rejects its current inputs: ${raised}`
    this.add('metadata', node, null, { what: 'kind', was, is: raised }, parts)
  }

  private rootAmongInputs(node: Node): Root | null {
    for (const input of node.inputs()) {
      const root = this.rootOf.get(input)
      if (root) return root
    }
    return null
  }

  /** A rule applies to a node if it reproduces the node's metadata from before the pass. */
  private isTrusted(node: Node): boolean {
    if (this.changes.placeBefore(node) === undefined) return true
    const before = this.recompute.of(node, this.changes.argumentsBefore(node), this.changes.valBefore)
    return before !== null && 'val' in before && difference(this.changes.valBefore(node), before.val) === null
  }
}

/** Custom kernels may rely on the strides they were written for; as_strided uses them. */
const takesStrides = (node: Node): boolean => {
  const operator = operatorOf(node)
  return node.op === 'call_function' && (!isNative(operator) || operator.startsWith('aten.as_strided'))
}

function withWholeMessage({ violation, stale, reachesOutput, strides }: Root): Violation {
  if (strides)
    return {
      ...violation,
      ...worded(
        message`${violation.parts}: ${nodeAfter(strides.readBy!.name)} (${operator(operatorOf(strides.readBy!))}) is called with it`,
      ),
    }
  const [first] = stale
  const rest = stale.length > 1 ? ` and ${stale.length - 1} more after it` : ''
  const still = first
    ? message`; ${nodeAfter(first.name)}${rest} still ${stale.length > 1 ? 'have' : 'has'} the old metadata`
    : []
  const output = reachesOutput ? (first ? ', up to an output of the graph' : '; it is an output of the graph') : ''
  return { ...violation, ...worded(message`${violation.parts}${still}${output}`) }
}

/** A difference, with both sides as print_readable writes them. */
interface Difference {
  what: 'dtype' | 'shape' | 'stride' | 'device' | 'kind'
  was: string
  is: string
}

/** The first certain difference, or null. A property that either side lacks counts as equal. */
function difference(was: Val | null | undefined, is: Val | null | undefined): Difference | null {
  if (!was || !is) return null
  if (was.kind === 'tensor' && is.kind === 'tensor') return tensorDifference(was, is)
  if (was.kind === 'vals' && is.kind === 'vals') {
    if (was.items.length !== is.items.length)
      return { what: 'kind', was: `${was.items.length} values`, is: `${is.items.length} values` }
    for (const [i, item] of was.items.entries()) {
      const found = difference(item, is.items[i])
      if (found) return found
    }
    return null
  }
  if (was.kind === is.kind || was.kind === 'scalar' || is.kind === 'scalar') return null
  return {
    what: 'kind',
    was: was.kind === 'vals' ? 'several values' : formatVal(was),
    is: is.kind === 'vals' ? 'several values' : formatVal(is),
  }
}

function tensorDifference(was: TensorMeta, is: TensorMeta): Difference | null {
  const plain = (what: Difference['what']): Difference => ({ what, was: formatVal(was), is: formatVal(is) })
  if (was.dtype !== is.dtype) return plain('dtype')
  if (was.shape.length !== is.shape.length || was.shape.some((d, i) => differ(d, is.shape[i]!))) return plain('shape')
  if (was.device && is.device && otherDevice(was.device, is.device)) {
    const format = { device: true }
    return { what: 'device', was: formatVal(was, format), is: formatVal(is, format) }
  }
  if (was.stride && is.stride && strideMatters(was, is)) {
    const format = { stride: true }
    return { what: 'stride', was: formatVal(was, format), is: formatVal(is, format) }
  }
  return null
}

/** The stride of a dimension of size 1 is never used, and an empty tensor has no elements. */
function strideMatters(was: TensorMeta, is: TensorMeta): boolean {
  if (was.shape.includes(0)) return false
  return was.shape.some((size, i) => size !== 1 && differ(was.stride![i]!, is.stride![i]!))
}

/** `cuda` means the current device. */
const otherDevice = (a: Device, b: Device): boolean =>
  a.type !== b.type || (a.index !== null && b.index !== null && a.index !== b.index)

/** A data-dependent symbol (`u0`) may be any number; a quotient or a maximum may be equal by value. */
const UNDECIDED = /\bu\d|\/\/|\bM\w+\(/

/** True for two different numbers, or for two expressions that cannot be equal. */
function differ(a: Dim, b: Dim): boolean {
  if (a === b) return false
  if (typeof a === 'number' && typeof b === 'number') return true
  if (UNDECIDED.test(String(a)) || UNDECIDED.test(String(b))) return false
  return subDims(a, b) !== 0
}
