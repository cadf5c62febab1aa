/**
 * The axes of a class of registrations: what they were made with and differ in, as few names as tell them apart, in
 * the order of the loops that made them.
 */
import type { RegistrationFacts } from '../../matcher/types'

export type Made = Pick<RegistrationFacts, 'bindings' | 'loops' | 'details'>

export interface Axis {
  name: string
  /** By registration; null for one that has no such thing. */
  values: (string | null)[]
}

/**
 * Loops come first, the outermost before the others, each under the name that the pattern itself has for its variable
 * where it has one; then what the patterns hold besides, what changes least first; and, where these leave some
 * registrations alike, whatever else differs. What follows from the axes before it is none.
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

/** What all have under one name, where it differs; what changes least from one to the next comes first. */
function differing(made: readonly Made[], of: (m: Made) => Readonly<Record<string, string>>): Axis[] {
  const names = [...new Set(made.flatMap((m) => Object.keys(of(m))))]
  const all = names.map((name): Axis => ({ name, values: made.map((m) => of(m)[name] ?? null) }))
  const whole = (a: Axis): boolean => !a.values.includes(null)
  // A thing is told by its name where each has one (`quant_key`), and by its fields (`quant_key.dtype`) elsewhere.
  const told = all.filter((a) => {
    const fields = all.some((b) => isField(b.name, a.name))
    return (whole(a) || !fields) && !all.some((b) => isField(a.name, b.name) && whole(b))
  })
  return byChanges(told.filter(differs))
}

const isField = (name: string, of: string): boolean => name.startsWith(`${of}.`) || name.startsWith(`${of}[`)

/** The variables of the loops around the calls that differ, a list a loop, outermost first. */
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

/** A name of so many letters says less than a loop's variable. */
const SHORT = 2

/** What the pattern itself calls a loop's variable; the variable, where the pattern has nothing of the kind or says less. */
function ownName(variable: Axis, own: readonly Axis[]): Axis {
  const same = own.filter((o) => partition(o) === partition(variable))
  const alike = same.find((o) => o.values.every((v, i) => v === variable.values[i]))
  if (alike && alike.name.length <= SHORT && variable.name.length > SHORT) return variable
  return same.find((o) => o.name === variable.name) ?? alike ?? same[0] ?? variable
}

const differs = ({ values }: Axis): boolean => values.some((v) => v !== values[0])

const changes = ({ values }: Axis): number => values.filter((v, i) => i > 0 && v !== values[i - 1]).length

const kinds = ({ values }: Axis): number => new Set(values).size

/** Of a counter and a variable that both change each time, the variable comes first. */
const byChanges = (axes: Axis[]): Axis[] => axes.toSorted((a, b) => changes(a) - changes(b) || kinds(a) - kinds(b))

/** Which registrations are alike, whatever the values are called. */
function partition({ values }: Axis): string {
  const ids = new Map<string | null, number>()
  return values.map((v) => ids.get(v) ?? (ids.set(v, ids.size), ids.size - 1)).join(',')
}

/** Whether equal values of the axes before mean equal values of this one. */
function follows(axis: Axis, before: readonly Axis[]): boolean {
  const known = new Map<string, string | null>()
  return axis.values.every((value, i) => {
    const key = JSON.stringify(before.map((b) => b.values[i]))
    if (!known.has(key)) known.set(key, value)
    return known.get(key) === value
  })
}
