/** fwd_only and joint_fwd_bwd: trace a Python function over fake tensors to a graph. */
import type { Graph, Val } from '../fx'
import type { CallableId, StubDecision, TraceOptions } from '../matcher/types'
import type { DecompositionTable, DispatchArg, TraceInput, Tracer } from '../trace/types'
import type { Channel } from './channel'
import { decisionOf, type DecisionJson } from './run_json'
import type { SharedValues } from './values'
import { containerJson, encode, encodeVal, type Json } from './wire'

export interface ForwardTraceOptions extends TraceOptions {
  /** Remove no-ops and dead code. */
  functionalPasses?: boolean
  decompositions?: DecompositionTable | undefined
}

export class ForwardTrace {
  private readonly decisions = new Map<CallableId, Map<string, StubDecision>>()

  constructor(
    private readonly tracer: Tracer,
    private readonly values: SharedValues,
    private readonly channel: Channel,
  ) {}

  /** Stub answers that decided the trace of a function, each line once. */
  decisionsOf(fn: CallableId): StubDecision[] {
    return [...(this.decisions.get(fn)?.values() ?? [])]
  }

  forget(): void {
    this.decisions.clear()
  }

  private keepDecisions(fn: CallableId, made: readonly DecisionJson[]): void {
    const known = this.decisions.get(fn) ?? new Map<string, StubDecision>()
    for (const json of made) known.set(JSON.stringify(json), decisionOf(json))
    this.decisions.set(fn, known)
  }

  run(
    fn: CallableId,
    argNames: readonly string[],
    args: readonly Val[],
    {
      leadingSyms = 0,
      sameAs,
      examples,
      functionalPasses = true,
      joint = false,
      decompositions,
      unfaked = false,
    }: ForwardTraceOptions = {},
  ): Graph {
    const leaves = args.map((val, i) => leavesOf(val, argNames[i] ?? `arg${i}`))
    const inputs = sameAs ? oneTensorEach(leaves, sameAs) : examples ? sharing(leaves.flat(), examples) : leaves.flat()
    const fakes = this.tracer.begin(inputs, { joint, decompositions, unfaked })
    let next = 0
    // The tracer returns one value per input; scalars are passed unchanged.
    const take = (val: Val | null): Json => {
      if (val?.kind === 'vals') return containerJson(val, val.items.map(take))
      const fake = fakes[next++]
      return val?.kind === 'tensor' ? encode(this.values.keep(fake!)) : encodeVal(val, (meta) => this.values.fake(meta))
    }
    const payload = args.map(take)
    let made: DispatchArg
    try {
      const [result, decisions] = this.channel.call('trace', fn, payload.slice(leadingSyms), examples ?? null)
      made = this.values.decode(result)
      if (decisions.length > 0) this.keepDecisions(fn, decisions)
    } catch (e) {
      this.tracer.abort()
      throw e
    }
    return this.tracer.end(made, functionalPasses)
  }
}

/** Inputs that are the same Python tensor become one fake tensor. */
function sharing(inputs: readonly TraceInput[], examples: readonly (number | null)[]): TraceInput[] {
  return inputs.map((input, i) => {
    const sameAs = examples[i] == null ? i : examples.indexOf(examples[i])
    return sameAs === i ? input : { ...input, sameAs }
  })
}

/** The leaves of all arguments; a repeated argument reuses the tensors of its first occurrence. */
function oneTensorEach(leaves: readonly TraceInput[][], sameAs: readonly number[]): TraceInput[] {
  const starts: number[] = []
  const inputs: TraceInput[] = []
  for (const [i, own] of leaves.entries()) {
    starts.push(inputs.length)
    const start = starts[sameAs[i]!] ?? inputs.length
    inputs.push(...own.map((leaf, k) => (start === starts[i] ? leaf : { ...leaf, sameAs: start + k })))
  }
  return inputs
}

function leavesOf(val: Val | null, name: string): TraceInput[] {
  if (val?.kind === 'vals') return val.items.flatMap((v) => leavesOf(v, name))
  return [{ name, val: val ?? { kind: 'scalar', value: null } }]
}
