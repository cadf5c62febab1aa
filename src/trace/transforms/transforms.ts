/**
 * The levels of torch.func (functorch's dynamic layers) that a call passes from the innermost to the outermost: torch.vmap, derivatives
 * backwards (grad, vjp) and forwards (jvp).
 */
import type { Bound } from '../../ops/bind'
import { visitFakes, type DispatchArg, type FakeTensor } from '../../ops/fake'
import type { GradMode } from '../joint/types'
import { Differentiation, mapped, type DifferentiationHost } from './differentiation'

export type LevelKind = 'vmap' | 'grad' | 'jvp'

/** The tracer's part. */
export interface TransformHost extends DifferentiationHost {
  /** Undefined: the operator has no batching rule. */
  batched(bound: Bound, level: number): DispatchArg | undefined
  refuseBatch(bound: Bound): never
}

export class Transforms {
  private readonly levels: (Differentiation | null)[] = []
  /** Grad mode outside each level. */
  private readonly before: boolean[] = []
  /** The levels that a call passes: fewer while one of them handles it. */
  private depth = 0
  /** torch.func was used in this run. */
  used = false

  constructor(private readonly host: TransformHost) {}

  enter(kind: LevelKind): number {
    this.used = true
    const level = this.levels.length + 1
    const { modes } = this.host
    const before = modes.gradMode
    // What a level of grad runs, the levels outside follow as torch.no_grad() around it says.
    const below = <T>(run: () => T): T =>
      this.at(level - 1, () => (kind === 'jvp' || before ? run() : withGradMode(modes, false, run)))
    this.levels.push(kind === 'vmap' ? null : new Differentiation(this.host, level, kind === 'jvp', below))
    this.before.push(before)
    if (kind === 'grad') modes.gradMode = true
    return (this.depth = level)
  }

  exit(): void {
    this.levels.pop()
    this.host.modes.gradMode = this.before.pop()!
    this.depth = this.levels.length
  }

  clear(): void {
    this.levels.length = this.before.length = 0
    this.depth = 0
    this.used = false
  }

  /** Runs with the outermost `depth` levels. */
  private at<T>(depth: number, run: () => T): T {
    const before = this.depth
    this.depth = Math.min(before, depth)
    try {
      return run()
    } finally {
      this.depth = before
    }
  }

  /** Undefined: no level handles the call. */
  call(given: Bound): DispatchArg | undefined {
    if (!this.used) return undefined
    const bound = this.alive(given)
    for (let level = this.depth; level > 0; level--) {
      const layer = this.levels[level - 1]!
      if (layer) return this.at(level, () => layer.call(bound))
      if (!isBatched(bound, level)) continue
      return this.at(
        level,
        () => this.host.batched(bound, level) ?? this.host.implicit(bound) ?? this.host.refuseBatch(bound),
      )
    }
    return bound === given ? undefined : this.host.dispatch(bound)
  }

  /** A tensor of a level that has ended is the one below it. */
  private alive(bound: Bound): Bound {
    const dead = (t: FakeTensor): boolean => t.lifted !== undefined && this.levels[t.lifted.level - 1] !== t.lifted.by
    return mapped(bound, (t) => {
      let now = t
      while (dead(now)) now = now.lifted!.value
      return now
    })
  }

  lift(t: FakeTensor, tangent: FakeTensor | null): FakeTensor {
    return this.levels.at(-1)!.input(t, tangent)
  }

  /** torch.autograd.grad at a level, which may have ended: the gradients of the inputs below it. */
  gradients(
    outputs: readonly FakeTensor[],
    inputs: readonly FakeTensor[],
    given: readonly FakeTensor[] | null,
  ): (FakeTensor | null)[] {
    const { by, level } = inputs[0]!.lifted!
    const layer = by as Differentiation
    const take = (): (FakeTensor | null)[] => layer.gradients(outputs, inputs, given)
    return this.levels[level - 1] === layer ? layer.below(take) : take()
  }
}

export function withGradMode<T>(modes: GradMode, on: boolean, run: () => T): T {
  const before = modes.gradMode
  modes.gradMode = on
  try {
    return run()
  } finally {
    modes.gradMode = before
  }
}

const isBatched = (bound: Bound, level: number): boolean => {
  let found = false
  for (const value of bound.values.values()) visitFakes(value, (t) => void (found ||= t.batch?.level === level))
  return found
}
