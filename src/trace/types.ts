/**
 * What the Python world and the tracer say to each other, and what tracing a function yields.
 * `src/python` turns Python values into `Arg`s (a fake tensor as a `Node` when a trace is on) and back.
 */
import type { Arg, ConstantValues, Graph, SourceRef, TensorMeta, Val } from '../fx'
import type { DispatchArg, FakeTensor } from '../ops/fake'

export { TorchError } from '../ops/torch_error'
export type { DispatchArg, DispatchDict, DispatchTuple, FakeTensor } from '../ops/fake'

/** What an operator's schema says, as far as the pattern matcher asks. */
export interface SchemaFacts {
  /** `_schema.is_mutable`. */
  mutable: boolean
  args: readonly SchemaArgFacts[]
  /** One for each value returned. */
  returns?: readonly unknown[]
}

export interface SchemaArgFacts {
  /** As the schema has it (`self`, not `input`). */
  name: string
  kwargOnly: boolean
  /** `Tensor(a!)`: the operator writes to it. */
  written?: boolean
  /** `Tensor(a)` or `Tensor(a!)`: it has an alias set; an operator with such an argument is a view to Inductor. */
  aliased?: boolean
  /** Undefined: the argument is required. */
  default?: Arg
}

/**
 * Runs operators over fake tensors; when a trace is on, also records nodes. One per engine; src/python calls it.
 */
export interface Tracer {
  /** A new fake tensor outside any operator (a trace's input, a `torch.tensor` constant). */
  fake(meta: TensorMeta): FakeTensor
  /** What torch.tensor(…) makes: while a trace is on, a get_attr of the constant and its lift_fresh_copy. */
  constant(meta: TensorMeta, values: ConstantValues, source?: SourceRef): FakeTensor
  /**
   * Calls an operator as `torch.ops.<name>(*args, **kwargs)` would under FakeTensorMode.
   * @param name `aten.add.Tensor`, or a packet `aten.add` (the overload is resolved by schema), or
   *   `higher_order.auto_functionalized`, `operator.getitem` …
   * @param source the user's file and line, kept on the node
   * @throws TorchError for what PyTorch would raise
   */
  call(
    name: string,
    args: readonly DispatchArg[],
    kwargs: ReadonlyMap<string, DispatchArg>,
    source?: SourceRef,
  ): DispatchArg
  /** Starts recording into a new graph, with a placeholder a name; returns the inputs to call the function with. */
  begin(inputs: readonly TraceInput[]): FakeTensor[]
  /**
   * Ends the innermost recording: the graph with its output node.
   * @param functionalPasses false leaves out no-op removal and dead-code elimination (fwd_only's run_functional_passes)
   */
  end(output: DispatchArg, functionalPasses?: boolean): Graph
  /** Drops the innermost recording (the function raised). */
  abort(): void
  /** torch.library: `Library(ns).define(schema)`, custom_op. `schema` without the namespace: `silu_and_mul(Tensor! result, …) -> ()`. */
  define(ns: string, schema: string): void
  /** register_fake: shape rule given in Python. */
  registerFake(
    name: string,
    impl: (args: readonly DispatchArg[], kwargs: ReadonlyMap<string, DispatchArg>) => DispatchArg,
  ): void
  /** The schema of `aten.add.Tensor`, from user code or the catalogue; null when it is not known or inferred. */
  schemaOf?(target: string): SchemaFacts | null
  /** Overloads of a packet (`aten.add`) in the order of op_overloads(). */
  overloadsOf?(packet: string): readonly string[]
  /** Forget everything user code defined (a new run begins). */
  reset(): void
  /** Operators that were called with a schema inferred, not known: named in the report. */
  readonly inferredOps: ReadonlySet<string>
}

export interface TraceInput {
  /** Placeholder name wanted: the parameter's. make_fx adds `_1`; fx_to_pattern takes the parameter's own name. */
  name: string
  val: Val
  /** Index of the earlier input that is the same tensor. */
  sameAs?: number
}
