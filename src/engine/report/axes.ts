/**
 * The axes of a class of registrations: the bindings in which they differ, as few as distinguish them, in the order of
 * the loops that made them.
 */
import type { RegistrationFacts } from '../../matcher/types'

export type Made = Pick<RegistrationFacts, 'bindings' | 'loops' | 'details'>

export interface Axis {
  name: string
  /** Value by registration; null if it has none. */
  values: (string | null)[]
}

/**
 * Loop variables come first, outermost first, under the pattern's own name for the variable if it has one; then other
 * values of the patterns, those that change least first; then, if some registrations are still equal, any other
 * difference. A value that earlier axes determine is not an axis.
 */
export function axesOf(made: readonly Made[]): Axis[] {
  const own = differing(made, (m) => m.bindings)
  const axes: Axis[] = []
  const take = (axis: Axis): void => {
    if (!follows(axis, axes)) axes.push(axis)
  }
  for (const loop of loopsOf(made)) for (const variable of loop) take(ownName(variable, own))
  for (const axis of own) take(axis)
  for (const axis of differing(made, (m) => m.details ?? {})) take(axis)
  return axes
}

/** Bindings that all registrations have and that differ, in ascending number of changes. */
function differing(made: readonly Made[], of: (m: Made) => Readonly<Record<string, string>>): Axis[] {
  const names = [...new Set(made.flatMap((m) => Object.keys(of(m))))]
  const all = names.map((name): Axis => ({ name, values: made.map((m) => of(m)[name] ?? null) }))
  const whole = (a: Axis): boolean => !a.values.includes(null)
  // An object is shown by its name if each has one (`quant_key`), else by its fields (`quant_key.dtype`).
  const shown = all.filter((a) => {
    const fields = all.some((b) => isField(b.name, a.name))
    return (whole(a) || !fields) && !all.some((b) => isField(a.name, b.name) && whole(b))
  })
  return byChanges(shown.filter(differs))
}

const isField = (name: string, of: string): boolean => name.startsWith(`${of}.`) || name.startsWith(`${of}[`)

/** The variables of the loops around the calls, one list per loop, outermost first. */
function loopsOf(made: readonly Made[]): Axis[][] {
  const depths = new Map<string, number>()
  for (const { loops = [] } of made)
    loops.forEach((loop, depth) => {
      for (const [name] of loop) if (!depths.has(name)) depths.set(name, depth)
    })
  const variables = differing(made, (m) => Object.fromEntries((m.loops ?? []).flat()))
  const found: Axis[][] = []
  for (const axis of variables) (found[depths.get(axis.name)!] ??= []).push(axis)
  return found.filter(Boolean)
}

/** Names of at most this length are less specific than a loop variable. */
const SHORT = 2

/** The pattern's own name for a loop variable; the variable itself if the pattern has none or a shorter one. */
function ownName(variable: Axis, own: readonly Axis[]): Axis {
  const same = own.filter((o) => partition(o) === partition(variable))
  const alike = same.find((o) => o.values.every((v, i) => v === variable.values[i]))
  if (alike && alike.name.length <= SHORT && variable.name.length > SHORT) return variable
  return same.find((o) => o.name === variable.name) ?? alike ?? same[0] ?? variable
}

const differs = ({ values }: Axis): boolean => values.some((v) => v !== values[0])

const changes = ({ values }: Axis): number => values.filter((v, i) => i > 0 && v !== values[i - 1]).length

const kinds = ({ values }: Axis): number => new Set(values).size

/** If a counter and a variable both change each time, the variable comes first. */
const byChanges = (axes: Axis[]): Axis[] => axes.toSorted((a, b) => changes(a) - changes(b) || kinds(a) - kinds(b))

/** The partition of registrations by equal values. */
function partition({ values }: Axis): string {
  const ids = new Map<string | null, number>()
  return values.map((v) => ids.get(v) ?? (ids.set(v, ids.size), ids.size - 1)).join(',')
}

/** True if the earlier axes determine this one. */
function follows(axis: Axis, before: readonly Axis[]): boolean {
  const known = new Map<string, string | null>()
  return axis.values.every((value, i) => {
    const key = JSON.stringify(before.map((b) => b.values[i]))
    if (!known.has(key)) known.set(key, value)
    return known.get(key) === value
  })
}
