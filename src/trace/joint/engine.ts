/**
 * The backward pass in the order of PyTorch's engine: among the nodes whose gradients are complete, the one recorded last runs
 * first; a second gradient for one input is added to the first.
 */
import { dtype, type TensorMeta } from '../../fx'
import type { FakeTensor } from '../../ops/fake'
import type { OpCall } from '../../ops/op_call'
import { sumTo } from '../../ops/sum_to'
import { sameDims } from '../../ops/sym'

export interface Edge {
  readonly node: GradNode
  /** Index of the result that the edge leads to. */
  readonly input: number
}

export interface GradNode {
  /** Number of the call; Infinity for an input of the trace. */
  readonly sequence: number
  /** Edges to the call's differentiable inputs; null for one that needs no gradient. */
  readonly edges: readonly (Edge | null)[]
  /** Metadata of the call's results, which their gradients share. */
  readonly inputs: readonly (TensorMeta | null)[]
  /** Computes the gradients of the edges from those of the results; null for an input of the trace. */
  readonly run: ((grads: readonly (FakeTensor | null)[]) => readonly (FakeTensor | null)[]) | null
}

type Ops = Pick<OpCall, 'op' | 'call'>

/**
 * torch.autograd.grad(outputs, inputs, grads, allow_unused=True)
 * @returns the gradient of each input; null for one that no output depends on
 */
export function backward(
  c: Ops,
  roots: readonly { edge: Edge; grad: FakeTensor }[],
  inputs: readonly GradNode[],
): (FakeTensor | null)[] {
  return new Engine(c, roots, inputs).run(inputs)
}

class Engine {
  private readonly useful = new Map<GradNode, boolean>()
  private readonly pending = new Map<GradNode, number>()
  private readonly buffers = new Map<GradNode, (FakeTensor | null)[]>()
  private readonly ready: GradNode[] = []

  constructor(
    private readonly c: Ops,
    private readonly roots: readonly { edge: Edge; grad: FakeTensor }[],
    inputs: readonly GradNode[],
  ) {
    for (const leaf of inputs) this.useful.set(leaf, true)
    const seen = new Set<GradNode>()
    const stack: GradNode[] = []
    const reach = ({ node }: Edge): void => {
      this.pending.set(node, (this.pending.get(node) ?? 0) + 1)
      if (!seen.has(node)) {
        seen.add(node)
        stack.push(node)
      }
    }
    for (const { edge } of roots) reach(edge)
    while (stack.length > 0) for (const edge of stack.pop()!.edges) if (edge && this.leads(edge.node)) reach(edge)
  }

  /** True if the node depends on an input of the trace. */
  private leads(node: GradNode): boolean {
    const known = this.useful.get(node)
    if (known !== undefined) return known
    const leads = node.edges.some((e) => e !== null && this.leads(e.node))
    this.useful.set(node, leads)
    return leads
  }

  run(inputs: readonly GradNode[]): (FakeTensor | null)[] {
    for (const { edge, grad } of this.roots) this.add(edge, grad)
    for (let node = this.next(); node; node = this.next()) {
      if (!node.run) continue
      const grads = this.buffers.get(node)!
      const made = grads.every((g) => g === null) ? node.edges.map(() => null) : node.run(grads)
      const given = node.edges.map((edge, i) => edge && this.validated(edge, made[i] ?? null))
      node.edges.forEach((edge, i) => edge && this.leads(edge.node) && this.add(edge, given[i] ?? null))
    }
    return inputs.map((leaf) => this.buffers.get(leaf)?.[0] ?? null)
  }

  private next(): GradNode | undefined {
    if (this.ready.length === 0) return undefined
    let best = 0
    this.ready.forEach((node, i) => void (node.sequence > this.ready[best]!.sequence && (best = i)))
    return this.ready.splice(best, 1)[0]
  }

  /** validate_outputs: a gradient has the shape and dtype of its tensor. */
  private validated({ node, input }: Edge, grad: FakeTensor | null): FakeTensor | null {
    const meta = node.inputs[input]
    if (!grad || !meta) return grad
    const shaped = sameDims(grad.meta.shape, meta.shape) ? grad : sumTo(this.c, grad, meta.shape)
    return shaped.meta.dtype === meta.dtype
      ? shaped
      : (this.c.call('aten._to_copy.default', [shaped], { dtype: dtype(meta.dtype) }) as FakeTensor)
  }

  private add({ node, input }: Edge, grad: FakeTensor | null): void {
    let buffer = this.buffers.get(node)
    if (!buffer) this.buffers.set(node, (buffer = node.inputs.map(() => null)))
    const old = buffer[input]
    if (grad) buffer[input] = old ? this.c.op('aten.add.Tensor', old, grad) : grad
    const left = this.pending.get(node)! - 1
    this.pending.set(node, left)
    if (left === 0) this.ready.push(node)
  }
}
