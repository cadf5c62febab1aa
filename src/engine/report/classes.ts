/** Groups registrations into classes: registrations by the same code share a title. */
import type { RegistrationFacts } from '../../matcher/types'
import { axesOf } from './axes'
import { hashText } from '../../base/hash'
import type { EntryReport } from '../protocol'

type ClassFacts = Pick<EntryReport, 'key' | 'title' | 'order' | 'bindings' | 'axes'>

/** By the first registration of a pass, with all of them: edits of functions leave the registrations as they are. */
const known = new WeakMap<RegistrationFacts, { facts: readonly RegistrationFacts[]; classes: readonly ClassFacts[] }>()

/** For each registration of a pass: the title of its class, its bindings, and the axes that distinguish it. */
export function classesOf(facts: readonly RegistrationFacts[]): readonly ClassFacts[] {
  const [first] = facts
  if (!first) return []
  const last = known.get(first)
  if (last?.facts.length === facts.length && last.facts.every((f, i) => f === facts[i])) return last.classes
  const classes = classesOfPass(facts)
  known.set(first, { facts, classes })
  return classes
}

function classesOfPass(facts: readonly RegistrationFacts[]): ClassFacts[] {
  const titles = titlesOf(facts)
  const found: ClassFacts[] = []
  const ordered = facts.map((f, i) => ({ f, i })).toSorted((a, b) => (a.f.order ?? a.i) - (b.f.order ?? b.i))
  for (const title of new Set(titles)) {
    const members = ordered.filter(({ i }) => titles[i] === title)
    const axes = axesOf(members.map((m) => m.f))
    members.forEach(({ f, i }, at) => {
      const added = axes.flatMap(({ name, values }) => (values[at] === null ? [] : [[name, values[at]!] as const]))
      found[i] = {
        key: keyOf(f),
        title,
        order: ordered.findIndex((o) => o.i === i),
        bindings: { ...f.bindings, ...Object.fromEntries(added) },
        axes: axes.map((a) => a.name),
      }
    })
  }
  return found
}

/** Without line numbers, which change with each edit. */
const keyOf = ({ title, definition, bindings, loops }: RegistrationFacts): string =>
  hashText(JSON.stringify([title, definition?.[0], bindings, loops]))

/**
 * A class's name is its title. Functions of one name get their file or line in the title, unless one call of
 * register_replacement, as in a loop, registered them all.
 */
function titlesOf(facts: readonly RegistrationFacts[]): string[] {
  const families = familiesOf(facts)
  return facts.map((f, i) => {
    const alike = facts.flatMap((o, j) => (o.title === f.title ? [{ o, family: families[j]! }] : []))
    if (new Set(alike.map((a) => a.family)).size < 2 || !f.definition) return f.title
    const [name, file, line] = f.definition
    const named = alike.filter((a) => a.o.definition?.[0] === name)
    if (name !== f.title && named.every((a) => a.family === families[i])) return `${f.title}.${name}`
    const files = new Set(named.map((a) => a.o.definition?.[1]))
    // For a family of several definitions, the line of the first.
    const first = alike.find((a) => a.family === families[i])?.o.definition?.[2] ?? line
    return files.size > 1 ? `${f.title}, ${file}:${first}` : `${f.title}, line ${first}`
  })
}

/**
 * A group number for each registration: equal for registrations of a title that share their code or their call stack.
 */
function familiesOf(facts: readonly RegistrationFacts[]): number[] {
  const families: number[] = facts.map((_, i) => i)
  const of = (i: number): number => (families[i] === i ? i : (families[i] = of(families[i]!)))
  const seen = new Map<string, number>()
  facts.forEach((f, i) => {
    const { definition, calls } = f
    const keys = definition ? [definition.join(':'), ...(calls ? [calls] : [])] : ['class']
    for (const key of keys) {
      const known = seen.get(`${f.title} ${key}`)
      if (known === undefined) seen.set(`${f.title} ${key}`, i)
      else families[of(i)] = of(known)
    }
  })
  return families.map((_, i) => of(i))
}
