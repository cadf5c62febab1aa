/**
 * Interface between Python and the tracer, and the result of tracing a function. `src/python` converts Python values to
 * `Arg`s (a fake tensor to a `Node` during a trace) and back.
 */
import type { SizeHints } from '../base/size_hints'
import type { TorchRules, TorchVersion } from '../base/torch_version'
import type { Arg, ConstantValues, Dim, Graph, SourceRef, SymExpr, TensorMeta, Val } from '../fx'
import type { DispatchArg, FakeTensor } from '../ops/fake'
import type { KnownSizes } from '../ops/known_sizes'
import type { Autocast } from './autocast'
import type { Transforms } from './transforms/transforms'
import type { OperatorUsage } from './operator_usage'
import type { DecompositionTable } from './decomposition_table'
import type { GuessedSchema } from '../ops/infer'
import type { SchemaChoice } from './schema_versions'

export type { GuessedSchema, DecompositionTable, SchemaChoice }

export { TorchError } from '../ops/torch_error'
export type { DispatchArg, DispatchDict, DispatchTuple, FakeTensor } from '../ops/fake'

/** The schema facts of an operator that the pattern matcher reads. */
export interface SchemaFacts {
  /** `_schema.is_mutable`. */
  mutable: boolean
  args: readonly SchemaArgFacts[]
  /** One per returned value. */
  returns?: readonly unknown[]
}

export interface SchemaArgFacts {
  /** The name in the schema (`self`, not `input`). */
  name: string
  kwargOnly: boolean
  /** `Tensor(a!)`: the operator writes to it. */
  written?: boolean
  /** `Tensor(a)` or `Tensor(a!)`: it has an alias set; Inductor treats an operator with such an argument as a view. */
  aliased?: boolean
  /** Undefined for a required argument. */
  default?: Arg
  /** `SymInt` for a size; `list` is null where it is no list. */
  type?: { base: string; list: number | null }
}

export type PythonCall = (
  name: string,
  args: readonly DispatchArg[],
  kwargs: ReadonlyMap<string, DispatchArg>,
) => DispatchArg

/** The return value of a branch's graph: its tensors in a list or a tuple, or a single tensor. */
export type BranchResult = 'list' | 'tuple' | 'tensor'

/** Runs operators on fake tensors and, during a trace, records nodes. One per engine; src/python calls it. */
export interface Tracer {
  /** The PyTorch version of the traces; `reset` keeps it. */
  torch: TorchVersion
  readonly rules: TorchRules
  /** A new fake tensor outside any operator (a trace's input, a `torch.tensor` constant). */
  fake(meta: TensorMeta): FakeTensor
  /** Implements torch.tensor(…): during a trace, a get_attr of the constant and its lift_fresh_copy. */
  constant(meta: TensorMeta, values: ConstantValues, source?: SourceRef): FakeTensor
  /**
   * Calls an operator like `torch.ops.<name>(*args, **kwargs)` under FakeTensorMode.
   * @param name `aten.add.Tensor`, a packet `aten.add` (the overload is resolved by schema),
   * `higher_order.auto_functionalized`, `operator.getitem` …
   * @param source the user's file and line, recorded on the node
   * @throws TorchError for errors that PyTorch raises
   */
  call(
    name: string,
    args: readonly DispatchArg[],
    kwargs: ReadonlyMap<string, DispatchArg>,
    source?: SourceRef,
  ): DispatchArg
  /**
   * The result of a graph's call on these values; nothing is recorded.
   * @param name as for `call`, or a function of torch (`torch.functional.split`), or a method of the first argument (`.split`)
   */
  infer(name: string, args: readonly DispatchArg[], kwargs: ReadonlyMap<string, DispatchArg>): DispatchArg
  /** Calls functions of torch and methods as Python does; null before Python has started. */
  python: PythonCall | null
  /** The source of the nodes recorded from now on, until a call names its own. */
  at(source: SourceRef | undefined): void
  /** Starts recording into a new graph with one placeholder per name; returns the inputs for the function. */
  begin(inputs: readonly TraceInput[], options?: BeginOptions): FakeTensor[]
  /**
   * Ends the innermost recording and returns the graph with its output node.
   * @param functionalPasses false skips no-op removal and dead-code elimination (fwd_only's run_functional_passes)
   */
  end(output: DispatchArg, functionalPasses?: boolean): Graph
  /** Drops the innermost recording (the function raised). */
  abort(): void
  /**
   * Starts recording a branch of a higher-order operator inside the current trace, until endBranch or abort. `operands` are its inputs;
   * so are further tensors from outside that it uses, in the order of their first use.
   */
  beginBranch(operands: readonly FakeTensor[]): void
  /** @param outputs a list or tuple of tensors; `returns`: the form of the branch's return value */
  endBranch(outputs: DispatchArg, returns: BranchResult): { number: number; used: readonly FakeTensor[] }
  /** A size with this expression; in a trace, as the result of a recorded call. */
  size(target: string, args: readonly DispatchArg[], expr: string): SymExpr
  /** A guard of user code holds only for this value of a symbol: later traces for the graph have the number. */
  fix(symbol: string, value: number): void
  /** For another graph. */
  forgetFixed(): void
  /** The argument of a body of scan and map: a tensor like `t`, or like its first row. */
  sample(t: FakeTensor, row: boolean): FakeTensor
  /**
   * Records `higher_order.OP` with branches by number; returns the tuple of its outputs.
   * @param args without the branches
   */
  callBranches(op: string, branches: readonly number[], args: readonly DispatchArg[], source?: SourceRef): DispatchArg
  /** The levels of torch.func. */
  readonly transforms: Transforms
  /** torch.is_grad_enabled(): off in fwd_only, on in a joint trace. */
  gradMode: boolean
  readonly autocast: Autocast
  /** torch.vmap: the tensor that user code sees for `value`, without its dimension `dim`, inside `level` vmaps. */
  batch(value: FakeTensor, dim: number, level: number): FakeTensor
  /** The result of a mapped function, with the batch of this level as dimension `dim`. */
  unbatch(t: FakeTensor, level: number, dim: number, size: Dim): FakeTensor
  /** torch.library: `Library(ns).define(schema)`; custom_op, which overwrites. `schema` without the namespace: `silu_and_mul(Tensor! result, …) -> ()`. */
  define(ns: string, schema: string, overwrite?: boolean): void
  /** register_fake: a shape rule in Python. */
  registerFake(
    name: string,
    impl: (args: readonly DispatchArg[], kwargs: ReadonlyMap<string, DispatchArg>) => DispatchArg,
  ): void
  /** The schema of `aten.add.Tensor`, from user code or the catalog; null if it is unknown or inferred. */
  schemaOf(target: string): SchemaFacts | null
  /** Overloads of a packet (`aten.add`) in the order of op_overloads(). */
  overloadsOf(packet: string): readonly string[]
  /** For exports. */
  readonly usage: OperatorUsage
  /** The known values of symbolic sizes. */
  readonly sizes: KnownSizes
  /** Begins a run whose passes apply to this graph: cataloged operators take the version that fits its calls. */
  begins(graph: Graph, hints?: SizeHints): void
  /** Versions of cataloged operators that the run uses, if several are known or none fits the graph. */
  schemaChoices(): SchemaChoice[]
  /** True for an operator that is declared, called in the graph or in the catalog; `uncertain` if the catalog may lack it. */
  isKnown(packet: string): boolean | 'uncertain'
  /** Guessed schemas of the run, by target. */
  guessedSchemas(): ReadonlyMap<string, GuessedSchema>
  /** Schemas that the user's code declared: `mylib::scale(Tensor x) -> Tensor`. */
  declaredSchemas(): readonly string[]
  /** Discards all user-defined operators (a new run begins). */
  reset(): void
  /** Operators called with an inferred schema; listed in the report. */
  readonly inferredOps: ReadonlySet<string>
}

export interface BeginOptions {
  /** Trace the forward and the backward pass, as joint_fwd_bwd does; placeholders are primals_1, …, tangents_1, … */
  joint?: boolean
  /** The table of a get_decomp_fn; undefined: Inductor's own. */
  decompositions?: DecompositionTable | undefined
  /** No fake mode is active: factories make real tensors. */
  unfaked?: boolean
}

export interface TraceInput {
  /** Placeholder name to use: the parameter's. make_fx adds `_1`; fx_to_pattern uses the parameter's own name. */
  name: string
  val: Val
  /** Index of the earlier input that is the same tensor. */
  sameAs?: number
}
