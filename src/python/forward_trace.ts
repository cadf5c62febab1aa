/** fwd_only: a Python function over fake tensors, as a graph. */
import type { Graph, Val } from '../fx'
import type { CallableId } from '../matcher/types'
import type { DispatchArg, Tracer } from '../trace/types'
import type { Channel } from './channel'
import type { SharedValues } from './values'
import { encode, encodeVal, type Json } from './wire'

export interface ForwardTraceOptions {
  /** How many of the first arguments become placeholders but are not passed to the function; see PatternHost.trace. */
  leadingSyms?: number
  /** Whether what does nothing or is dead is removed. */
  functionalPasses?: boolean
}

export class ForwardTrace {
  constructor(
    private readonly tracer: Tracer,
    private readonly values: SharedValues,
    private readonly channel: Channel,
  ) {}

  run(
    fn: CallableId,
    argNames: readonly string[],
    args: readonly Val[],
    { leadingSyms = 0, functionalPasses = true }: ForwardTraceOptions = {},
  ): Graph {
    const leaves = args.flatMap((val, i) => leavesOf(val, argNames[i] ?? `arg${i}`))
    const fakes = this.tracer.begin(leaves)
    let next = 0
    // The tracer answers input by input; scalars are passed as they are.
    const take = (val: Val | null): Json => {
      if (val?.kind === 'vals') return val.list ? val.items.map(take) : { t: val.items.map(take) }
      const fake = fakes[next++]
      return val?.kind === 'tensor' ? encode(this.values.keep(fake!)) : encodeVal(val, (meta) => this.values.fake(meta))
    }
    const payload = args.map(take)
    let made: DispatchArg
    try {
      made = this.values.decode(this.channel.call<Json>('trace', [fn, payload.slice(leadingSyms)]))
    } catch (e) {
      this.tracer.abort()
      throw e
    }
    return this.tracer.end(made, functionalPasses)
  }
}

function leavesOf(val: Val | null, name: string): { name: string; val: Val }[] {
  if (val?.kind === 'vals') return val.items.flatMap((v, i) => leavesOf(v, `${name}_${i}`))
  return [{ name, val: val ?? { kind: 'scalar', value: null } }]
}
