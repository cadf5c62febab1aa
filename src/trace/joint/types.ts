/** The parts of the tracer that a joint trace uses. */
import type { Bound } from '../../ops/bind'
import type { DispatchArg, FakeTensor } from '../../ops/fake'
import type { Dispatcher } from '../../ops/op_call'

/** The recorder's part of the tracer. */
export interface JointRecorder {
  /** Records a placeholder after those that exist. */
  input(name: string, value: DispatchArg): void
  /** Makes a second tensor object stand for the same node. */
  alias(made: FakeTensor, of: FakeTensor): void
  output(value: DispatchArg): void
}

/** torch.is_grad_enabled() of the running code. */
export interface GradMode {
  gradMode: boolean
}

export interface TapeOptions {
  dispatcher: Dispatcher
  modes: GradMode
  /** Calls an operator below autograd. */
  below: (bound: Bound) => DispatchArg
  hasSchema: (target: string) => boolean
  /** True in a joint trace, which is functionalized. */
  alias?: (made: FakeTensor, of: FakeTensor) => void
  /** True at a level of torch.func, which is not functionalized. */
  level?: Level
}

/** A level of torch.func: user code there sees tensors that are lifted from the level below. */
export interface Level {
  /** The backward pass that runs makes a graph (create_graph). */
  readonly creating: boolean
  /** @param call creates the tensor; an argument that it returns stays the argument's own lifted tensor */
  lift(below: FakeTensor, requiresGrad: boolean, call?: Bound): FakeTensor
  /** The results of a call that autograd does not follow. */
  lifted(out: DispatchArg, call: Bound): DispatchArg
  /** The arguments of a call below the level. */
  lowered(call: Bound): ReadonlyMap<string, DispatchArg>
  /** The operator whose derivative an in-place call has; undefined for another call. @throws TorchError for a refused operator */
  functional(call: Bound): string | undefined
}
