/**
 * Checks an initial match (register_replacement's check_fn): traces the search function again with the matched shapes,
 * so that the sizes in it are the graph's; matches it with every constant exact; then runs the extra_check and traces
 * the replacement.
 */
import { clone, Node, type Arg, type Graph, type SymExpr, type TensorMeta, type Val } from '../../fx'
import { contiguousStrides } from '../../ops/strides'
import { TorchError } from '../../trace/types'
import type { TorchRules } from '../../base/torch_version'
import { alignNodes } from './align'
import type { ReplacementEntry } from '../entry'
import { isOfDynamo } from '../node_value'
import { fxToPattern } from '../fx_to_pattern'
import { isCapturedTuple, type Captured, type Match } from '../match'
import { unknownShape } from '../reasons/drop_reason'
import { symArgsOf } from './sym_args'
import type { Rejected, Specific } from './trace_cache'
import { traceArgInfo, unflattenMatchKwargs, type TraceArgInfo } from '../trace_args'
import { PythonError } from '../types'
import type { PatternHost, RecordedTrace } from '../host'

/** The search function's arguments in the match. */
export interface MatchArgs {
  /** Captured values by argument name. */
  structured: Map<string, Captured>
  vals: Val[]
  /** Equal keys give equal traces. */
  key: string
}

/** @throws TorchError if an argument is unused, or if no argument is a tensor */
export function argsOfMatch(entry: ReplacementEntry, match: Pick<Match, 'kwargs'>): MatchArgs | Rejected {
  const structured = unflattenMatchKwargs(match.kwargs, entry.argInfo, { rules: entry.rules })
  const vals: Val[] = []
  /** Nodes without a shape, with the argument that captured each. */
  const shapeless = new Map<string, string>()
  let rejected: Rejected | null = null
  for (const name of entry.registration.argNames) {
    if (!entry.rules.exampleValues) refuseExampleValue(structured.get(name)!)
    const val = valOf(structured.get(name)!)
    if (!('rejected' in val)) vals.push(val)
    else if (val.rejected.kind !== 'unknown-shape') rejected ??= val
    else for (const n of val.rejected.nodes) if (!shapeless.has(n)) shapeless.set(n, name)
  }
  if (rejected) return rejected
  if (shapeless.size > 0) return { rejected: unknownShape([...shapeless.keys()], [...shapeless.values()]) }
  if (!vals.some(hasTensor)) throw withoutMode(entry.rules)
  // Before nested inputs, each example input is read by its index, and the inputs of `*ts` are one argument.
  if (!entry.rules.nestedInputs && entry.registration.exampleInputs.length > vals.length)
    throw new TorchError('IndexError', 'list index out of range')
  const key = vals.map(valKey).join()
  let fresh = entry.traces.args.get(key)
  if (!fresh) entry.traces.args.set(key, (fresh = new Refresher(entry.requiresGrad).refresh(vals)))
  return 'rejected' in fresh ? fresh : { structured, vals: fresh, key }
}

const tensorKeys = new WeakMap<Val, string>()

/** Equal texts mean equal metadata. Cached per node, because matches request it repeatedly. */
function valKey(val: Val): string {
  if (val.kind !== 'tensor') return JSON.stringify(val, plain)
  let key = tensorKeys.get(val)
  if (key === undefined) tensorKeys.set(val, (key = JSON.stringify(val, plain)))
  return key
}

/** Values that JSON lacks or does not distinguish: 1 and 1.0, inf and nan and None, 0.0 and -0.0. */
const plain = (_key: string, v: unknown): unknown => {
  if (typeof v === 'bigint') return `${v}n`
  return typeof v === 'number' && (!Number.isFinite(v) || Object.is(v, -0)) ? (v === 0 ? '-0' : String(v)) : v
}

/** PyTorch 2.6 enters what it found. */
const withoutMode = (rules: TorchRules): TorchError =>
  rules.exampleValues
    ? new TorchError('AssertionError', 'fake_mode is None')
    : new TorchError('TypeError', "'NoneType' object does not support the context manager protocol")

/** Before PyTorch 2.13 stage two reads `val` alone. @throws TorchError */
function refuseExampleValue(value: Captured): void {
  if (value instanceof Node && isOfDynamo(value)) throw new TorchError('KeyError', "'val'")
}

function valOf(value: Captured): Val | Rejected {
  if (isCapturedTuple(value) || Array.isArray(value)) {
    const items: Val[] = []
    const shapeless: string[] = []
    for (const item of isCapturedTuple(value) ? value.items : (value as readonly Arg[])) {
      const val = valOf(item)
      if (!('rejected' in val)) items.push(val)
      else if (val.rejected.kind === 'unknown-shape') shapeless.push(...val.rejected.nodes)
      else return val
    }
    if (shapeless.length > 0) return { rejected: unknownShape(shapeless) }
    return isCapturedTuple(value) && value.keys ? { kind: 'vals', items, keys: value.keys } : { kind: 'vals', items }
  }
  if (value instanceof Node) return value.meta.val ?? { rejected: unknownShape([value.name]) }
  if (value !== null && typeof value === 'object' && (value as SymExpr).kind !== 'sym')
    return { rejected: { kind: 'argument-kind', found: (value as SymExpr).kind } }
  return { kind: 'scalar', value: value as bigint | number | boolean | null }
}

const hasTensor = (v: Val | null): boolean => v?.kind === 'tensor' || (v?.kind === 'vals' && v.items.some(hasTensor))

const INTEGER = /^u?int\d+$/

/** Fresh tensors with the matched metadata: offset 0, and requires_grad as in the example inputs. */
class Refresher {
  private next = 0

  constructor(private readonly requiresGrad: readonly boolean[]) {}

  refresh(vals: readonly Val[]): Val[] | Rejected {
    const out: Val[] = []
    for (const v of vals) {
      const fresh = this.one(v)
      if ('rejected' in fresh) return fresh
      out.push(fresh)
    }
    return out
  }

  private one(val: Val): Val | Rejected {
    if (val.kind === 'vals') {
      const items = this.refresh(val.items.map((v) => v ?? { kind: 'scalar', value: null }))
      return 'rejected' in items ? items : { ...val, items }
    }
    const grad = this.requiresGrad[this.next++] ?? false
    if (val.kind !== 'tensor') return val
    if (grad && INTEGER.test(val.dtype)) return { rejected: { kind: 'integer-requires-grad' } }
    const { dtype, shape, device } = val
    return { kind: 'tensor', dtype, shape, stride: val.stride ?? contiguousStrides(shape), device, requiresGrad: grad }
  }
}

/**
 * The pattern traced with these arguments, or the reason why there is none.
 * @throws PythonError for anything but a RuntimeError
 */
export function specificOf(entry: ReplacementEntry, args: MatchArgs, host: PatternHost): Specific | Rejected {
  const cached = entry.traces.specificOf(args.key)
  if (cached) return cached
  const made = traceSpecific(entry, args, host)
  // A capture may have the trace of another match with these arguments.
  if (!('rejected' in made && made.rejected.kind === 'not-recorded')) entry.traces.specific.set(args.key, made)
  return made
}

function traceSpecific(entry: ReplacementEntry, args: MatchArgs, host: PatternHost): Specific | Rejected {
  const { registration } = entry
  const argInfo = traceArgInfo(registration.argNames, args.vals)
  const recorded = host.recorded ? host.recordedTrace(registration.search) : null
  if (recorded) return 'rejected' in recorded ? recorded : specificFrom(entry, args, argInfo, recorded)
  if (entry.givenPattern) return { pattern: entry.pattern, argInfo, toInitial: null, graph: null, placeholders: [] }
  return traceAgain(entry, args, host)
}

/** Exceptions of second traces that end the pass: PyTorch catches RuntimeError alone. */
const ofRetrace = new WeakSet<Error>()
export const endedRetrace = (e: Error): boolean => ofRetrace.has(e)

/** The search function traced with these arguments, whether or not stage two does so. */
export function traceAgain(entry: ReplacementEntry, args: MatchArgs, host: PatternHost): Specific | Rejected {
  const { registration } = entry
  const argInfo = traceArgInfo(registration.argNames, args.vals)
  const syms = symArgsOf(args.vals.flatMap(tensorsOf), entry.rules.provablyUnequalSizes)
  // make_fx's names for the inputs of a function of *args.
  const symNames = syms.map((_, i) => `arg${i}`)
  const symVals = syms.map((expr): Val => ({ kind: 'scalar', value: { kind: 'sym', expr } }))
  let graph: Graph
  try {
    graph = host.trace(registration.search, [...symNames, ...registration.argNames], [...symVals, ...args.vals], {
      leadingSyms: syms.length,
    })
  } catch (e) {
    if (isRuntimeError(e)) return { rejected: { kind: 'retrace-raised', type: e.pythonType, message: e.message } }
    if (e instanceof Error) ofRetrace.add(e)
    throw e
  }
  const inputs = [...graph.nodes()].filter((n) => n.op === 'placeholder')
  const placeholders = [...inputs.slice(0, syms.length).map((n) => n.target), ...argInfo.flatNames]
  return specificFrom(entry, args, argInfo, { graph, placeholders })
}

/** The pattern of a traced search function, with every constant exact. */
function specificFrom(
  entry: ReplacementEntry,
  args: MatchArgs,
  argInfo: TraceArgInfo,
  { graph, placeholders }: Extract<RecordedTrace, { graph: Graph }>,
): Specific {
  const { registration } = entry
  const pattern = fxToPattern(graph, {
    argNames: placeholders,
    scalarWorkaround: registration.scalarWorkaround,
    exclusiveArgNames: registration.exclusiveArgNames,
    nestedInputs: args.vals.some((v) => v.kind === 'vals'),
    rules: entry.rules,
  })
  return {
    pattern,
    argInfo,
    toInitial: entry.searchGraph && alignNodes(graph, entry.searchGraph),
    graph,
    placeholders,
  }
}

/**
 * The replacement traced with these arguments.
 * @throws PythonError, TorchError from the trace
 */
export function replacementOf(entry: ReplacementEntry, args: MatchArgs, host: PatternHost): Graph {
  let graph = entry.traces.replacementOf(args.key)
  if (!graph) {
    graph = host.trace(entry.registration.replace, entry.registration.argNames, args.vals)
    entry.traces.replacement.set(args.key, graph)
  }
  // PyTorch traces anew for each match, so that each has modules of its own.
  return graph.subgraphs.size > 0 ? clone(graph).graph : graph
}

function tensorsOf(val: Val | null): TensorMeta[] {
  if (val?.kind === 'tensor') return [val]
  return val?.kind === 'vals' ? val.items.flatMap(tensorsOf) : []
}

/** RuntimeError and its subclasses in Python and torch. */
const RUNTIME_ERRORS = new Set(
  (
    'RuntimeError NotImplementedError RecursionError PythonFinalizationError UnsupportedFakeTensorException ' +
    'DynamicOutputShapeException DataDependentOutputException UnsupportedOperatorException UnsupportedMutationAliasingException ' +
    'MetadataMismatchError GuardOnDataDependentSymNode ConstraintViolationError OutOfMemoryError LinAlgError ' +
    'AcceleratorError DistBackendError DistError FailedMatch'
  ).split(' '),
)

const isRuntimeError = (e: unknown): e is PythonError | TorchError =>
  (e instanceof PythonError || e instanceof TorchError) && RUNTIME_ERRORS.has(e.pythonType)
