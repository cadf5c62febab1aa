/** The parts of the tracer that a joint trace uses. */
import type { Bound } from '../../ops/bind'
import type { DispatchArg, FakeTensor } from '../../ops/fake'
import type { Dispatcher } from '../../ops/op_call'

/** The recorder's part. */
export interface JointRecorder {
  /** Records a placeholder after those that exist. */
  input(name: string, value: DispatchArg): void
  /** Makes a second tensor object stand for the same node. */
  alias(made: FakeTensor, of: FakeTensor): void
  output(value: DispatchArg): void
}

export interface TapeOptions {
  dispatcher: Dispatcher
  /** Calls an operator below autograd. */
  below: (bound: Bound) => DispatchArg
  hasSchema: (target: string) => boolean
  alias: (made: FakeTensor, of: FakeTensor) => void
}
