/** Lowers one operator call: binds its arguments, allocates storage for its results, and emits a step. */
import {
  numel,
  PARALLEL,
  type AttrValue,
  type Kernel,
  type KernelCall,
  type OutSpec,
  type Param,
  type TensorView,
} from '../../ops/kernel'
import { contiguousStrides } from '../../ops/strides'
import { bind, isNodeRef } from './lower_inputs'
import {
  CannotRun,
  MissingKernel,
  denseLike,
  flattened,
  isFresh,
  isTensor,
  plain,
  viewOf,
  type Value,
} from './lower_values'
import type { Lowers } from './lowers'
import { findKernel } from '../device/registry'
import type { RunNode } from '../types'

/** The called operator, its kernel and the node of the call. */
interface Operation {
  node: RunNode
  target: string
  kernel: Kernel
}

/** Arguments by parameter, and the step's tensors, attributes and storage. */
interface Bound {
  given: ReadonlyMap<Param, Value>
  tensors: Record<string, TensorView | null>
  attrs: Record<string, AttrValue>
  slots: Record<string, number>
}

export interface CallArguments {
  readonly args?: Value[]
  readonly kwargs?: Record<string, Value>
  /** True if auto_functionalized calls the operator. */
  readonly functionalized?: boolean
}

/** A call of `target` with its kernel. */
export function callTarget(
  on: Lowers,
  node: RunNode,
  target: string,
  { args = [], kwargs = {}, functionalized = false }: CallArguments,
): Value {
  const found = findKernel(target)
  if (!found) throw new MissingKernel(target, node.untraced)
  const op = { node, target, kernel: found.kernel }
  const bound = bindNamed(on, op, args, kwargs, found.byName === true)
  if (found.note) on.note(found.note)
  return callBound(on, op, bound, functionalized)
}

/** @throws MissingKernel for a kernel that was chosen by name and has other parameters than this operator */
function bindNamed(on: Lowers, op: Operation, args: Value[], kwargs: Record<string, Value>, byName: boolean): Bound {
  try {
    return bindArguments(on, op, args, kwargs)
  } catch (e) {
    if (byName && e instanceof CannotRun) throw new MissingKernel(op.target, op.node.untraced)
    throw e
  }
}

/** The result: a functional operator's tensors, or for a mutating one nothing followed by each tensor it wrote. */
export function callKernel(
  on: Lowers,
  op: Operation,
  args: Value[],
  kwargs: Record<string, Value> = {},
  functionalized = false,
): Value {
  return callBound(on, op, bindArguments(on, op, args, kwargs), functionalized)
}

function callBound(on: Lowers, op: Operation, bound: Bound, functionalized: boolean): Value {
  const { node, target, kernel } = op
  const { tensors, attrs, slots } = bound
  const call: KernelCall = { tensors, attrs }
  const specs = on.refuse(node, target, () => kernel.outputs(call))
  const kept = kernel.keeps?.(call) ?? []
  const alone = /^(?:aten|prims)\./.test(target) && Object.keys(specs).length === 1
  for (const param of kernel.params) {
    if (param.kind === 'inout' && tensors[param.name] && !kept.includes(param.name)) {
      const view = { ...tensors[param.name]!, offset: 0 }
      const written = { ...view, stride: denseLike(view.stride, view.shape) }
      tensors[`${param.name}_out`] = written
      slots[`${param.name}_out`] = on.slot(written, null)
    }
    const made = specs[param.name]
    if (param.kind !== 'out' || !made) continue
    const view = outputView(on, op, { param, spec: made, given: bound.given.get(param), alone })
    tensors[param.name] = view
    // auto_functionalized clones mutated arguments. An `out` argument is fully written and never read, so fresh storage
    // with the same layout is equivalent and needs no copy; Inductor's reinplacing also ends up with that for an
    // `empty` that is used once.
    slots[param.name] = on.slot(view, null)
  }
  // Layouts must be rejected here, before anything runs.
  on.refuse(node, target, () => kernel.plan(call, PARALLEL))
  on.push(node, target, kernel, call, slots)

  const located = (p: Param): Value => {
    const name = p.kind === 'inout' && !kept.includes(p.name) ? `${p.name}_out` : p.name
    return tensors[name] ? { slot: slots[name]!, view: tensors[name]! } : null
  }
  const mutated = kernel.params.filter((p) => p.kind === 'out' || p.kind === 'inout' || p.kind === 'kept')
  if (kernel.functional) return mutated.length === 1 ? located(mutated[0]!) : { items: mutated.map(located) }
  if (!functionalized) writeBack(on, op, mutated, located)
  return { items: [null, ...mutated.map(located)] }
}

function bindArguments(
  on: Lowers,
  { node, target, kernel }: Operation,
  args: Value[],
  kwargs: Record<string, Value>,
): Bound {
  const given = new Map<Param, Value>()
  const bound: Bound = { given, tensors: {}, attrs: {}, slots: {} }
  const { tensors, attrs, slots } = bound
  const unknown = bind(kernel, args, kwargs, (p, v) => given.set(p, v))
  if (unknown.length > 0) throw new CannotRun(`the known schema of ${target} has no \`${unknown[0]}\``)

  for (const param of kernel.params) {
    const v = given.get(param) ?? param.default ?? null
    if (param.kind === 'attr') {
      const value = v === undefined ? null : plain(v)
      if (value === undefined)
        throw new CannotRun(`the argument \`${param.name}\` of ${node.name} is not a plain value`)
      attrs[param.name] = value
    } else if (param.kind === 'out') {
      if (param.optional) attrs[param.name] = v !== null
      if (param.sized) attrs[param.name] = isTensor(v) ? v.view.shape : isFresh(v) ? v.fresh.shape : null
    } else if (v === null || v === undefined) {
      if (!param.optional) throw new CannotRun(`${node.name} has no \`${param.name}\``)
      tensors[param.name] = null
    } else if (param.scalar && (typeof v === 'number' || typeof v === 'boolean')) {
      tensors[param.name] = null
      attrs[param.name] = v
    } else {
      if (!(isTensor(v) || isFresh(v)))
        throw new CannotRun(`the argument \`${param.name}\` of ${node.name} is not a tensor`)
      const at = on.read(v, `\`${param.name}\` of ${node.name}`)
      tensors[param.name] = at.view
      slots[param.name] = at.slot
    }
  }
  return bound
}

interface Output {
  readonly param: Param
  readonly spec: OutSpec
  /** The `out` argument, if there is one. */
  readonly given: Value | undefined
  /** The only result of a torch operator, which the dump's metadata for the node describes. */
  readonly alone: boolean
}

/**
 * The layout of a tensor that the operator writes.
 * @throws CannotRun if the given one does not match
 */
function outputView(on: Lowers, { node, kernel }: Operation, { param, spec: made, given, alone }: Output): TensorView {
  const like = given === undefined ? null : isTensor(given) ? given.view : isFresh(given) ? given.fresh : null
  const spec = like && made.flattens ? flattened(made, like.shape.length) : made
  // The dump's dtype of a torch operator's result takes precedence, because Python ints and floats are
  // indistinguishable here.
  const said = alone && node.meta ? viewOf(node.name, node.meta, on.symbols) : null
  const dtype = said?.dtype ?? spec.dtype ?? like?.dtype ?? (kernel.functional ? param.dtype : undefined)
  if (!dtype || (!like && !kernel.functional)) throw new CannotRun(`${node.name} has no \`${param.name}\` to write to`)
  const same =
    like !== null && like.shape.length === spec.shape.length && like.shape.every((n, i) => n === spec.shape[i])
  if (like && !same && on.tokens === null && numel(like.shape) > 0)
    throw new CannotRun(
      `\`${param.name}\` of ${node.name} has shape [${like.shape.join(', ')}], the operator writes [${spec.shape.join(', ')}]`,
    )
  if (like && like.dtype !== dtype)
    throw new CannotRun(`\`${param.name}\` of ${node.name} is ${like.dtype}, the operator writes ${dtype}`)
  const stride =
    like === null
      ? said && String(said.shape) === String(spec.shape)
        ? said.stride
        : (spec.stride ?? contiguousStrides(spec.shape))
      : same
        ? like.stride
        : (spec.stride ?? denseLike(like.stride, spec.shape))
  return { dtype, shape: spec.shape, stride, offset: 0 }
}

/** For a direct call of a mutating operator: the argument's name now refers to the written tensor. */
function writeBack(on: Lowers, { node, kernel }: Operation, mutated: Param[], located: (p: Param) => Value): void {
  bind(kernel, node.args, node.kwargs, (p, v) => {
    if (mutated.includes(p) && isNodeRef(v)) on.written(node, v.node, located(p))
  })
}
