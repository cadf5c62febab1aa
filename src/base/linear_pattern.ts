/**
 * Regular expressions whose matching takes time in proportion to the text: the engine's own ones backtrack, and a pattern
 * that somebody sent, such as `(a+)+b`, would hold the page for hours. A pattern becomes an automaton, whose sets of states
 * are kept by the character that leads to them. Case is ignored. Look-around and back references are not regular.
 */
import { err, ok, type Result } from './result'

import { isWord, NotRegular, PatternParser, type Assertion, type Part, type Test } from './pattern_parts'

/** Instructions of the automaton, by number. */
type Step =
  | { kind: 'set'; test: Test }
  | { kind: 'assert'; what: Assertion; next: number }
  | { kind: 'split'; next: number[] }
  | { kind: 'match' }

const MAX_STEPS = 3000
/** States of the automaton that are visited before a pattern gives up, for all texts together: about a fifth of a second. */
const MAX_WORK = 10_000_000
/** Sets of states that are kept. */
const MAX_SETS = 2000

/** Appends the automaton of a part. Control goes on behind it. @throws NotRegular if it grows too large */
function emit(part: Part, steps: Step[]): void {
  if (steps.length > MAX_STEPS) throw new NotRegular()
  switch (part.kind) {
    case 'set':
      steps.push({ kind: 'set', test: part.test })
      return
    case 'assert':
      steps.push({ kind: 'assert', what: part.what, next: steps.length + 1 })
      return
    case 'all':
      for (const p of part.parts) emit(p, steps)
      return
    case 'any': {
      const split: Step & { kind: 'split' } = { kind: 'split', next: [] }
      const ends: (Step & { kind: 'split' })[] = []
      steps.push(split)
      for (const p of part.parts) {
        split.next.push(steps.length)
        emit(p, steps)
        const end: Step & { kind: 'split' } = { kind: 'split', next: [] }
        steps.push(end)
        ends.push(end)
      }
      for (const end of ends) end.next.push(steps.length)
      return
    }
    case 'repeat': {
      for (let i = 0; i < part.min; i++) emit(part.part, steps)
      if (part.max === Infinity) {
        const begin = steps.length
        const split: Step & { kind: 'split' } = { kind: 'split', next: [begin + 1] }
        steps.push(split)
        emit(part.part, steps)
        steps.push({ kind: 'split', next: [begin] })
        split.next.push(steps.length)
        return
      }
      const skips: (Step & { kind: 'split' })[] = []
      for (let i = part.min; i < part.max; i++) {
        const split: Step & { kind: 'split' } = { kind: 'split', next: [steps.length + 1] }
        steps.push(split)
        skips.push(split)
        emit(part.part, steps)
      }
      for (const split of skips) split.next.push(steps.length)
    }
  }
}

/** Where the automaton can be between two characters, and what kind of character is before. */
interface StateSet {
  states: readonly number[]
  /** The character before: none, one of a word, another. */
  before: 'begin' | 'word' | 'other'
  /** By the next character's code. Null: the pattern has matched. */
  next: Map<number, StateSet | null>
  /** Whether the pattern matches at the end of the text here; undefined: not known yet. */
  atEnd?: boolean
}

/** A pattern gives up: it has read more text than it can in a moment. */
export class PatternGaveUp extends Error {}

export class LinearPattern {
  private work = 0
  private sets = new Map<string, StateSet>()

  private constructor(private readonly steps: readonly Step[]) {}

  /** @returns null if the source is no regular expression, or one that this cannot match */
  static read(source: string): LinearPattern | null {
    try {
      const steps: Step[] = []
      emit(new PatternParser(source).read(), steps)
      steps.push({ kind: 'match' })
      return new LinearPattern(steps)
    } catch (e) {
      if (e instanceof NotRegular) return null
      throw e
    }
  }

  /** True if the pattern matches anywhere in the text. @throws PatternGaveUp */
  test(text: string): boolean {
    let at: StateSet = this.setOf([0], 'begin')
    for (let i = 0; i < text.length; i++) {
      if (++this.work > MAX_WORK) throw new PatternGaveUp()
      const code = text.charCodeAt(i)
      let next = at.next.get(code)
      if (next === undefined) at.next.set(code, (next = this.follow(at, code)))
      if (next === null) return true
      at = next
    }
    return (at.atEnd ??= this.closure(at, null) === null)
  }

  private follow(at: StateSet, code: number): StateSet | null {
    const reached = this.closure(at, code)
    if (reached === null) return null
    // A match may begin at any character.
    const states = new Set([0])
    for (const s of reached) {
      const step = this.steps[s]!
      if (step.kind === 'set' && step.test(code)) states.add(s + 1)
    }
    return this.setOf([...states], isWord(code) ? 'word' : 'other')
  }

  /** The states that are reached without a character; null if a match is. @param code of the next character; null: none */
  private closure({ states, before }: StateSet, code: number | null): number[] | null {
    const seen = new Set(states)
    const boundary = (before === 'word') !== (code !== null && isWord(code))
    const holds: Readonly<Record<Assertion, boolean>> = {
      '^': before === 'begin',
      $: code === null,
      b: boundary,
      B: !boundary,
    }
    for (const s of seen) {
      this.work++
      const step = this.steps[s]!
      if (step.kind === 'match') return null
      if (step.kind === 'split') for (const n of step.next) seen.add(n)
      if (step.kind === 'assert' && holds[step.what]) seen.add(step.next)
    }
    return [...seen]
  }

  private setOf(states: readonly number[], before: StateSet['before']): StateSet {
    const key = `${before}${states.toSorted((a, b) => a - b).join()}`
    this.work += states.length
    const known = this.sets.get(key)
    if (known) return known
    if (this.sets.size > MAX_SETS) this.sets = new Map()
    const made: StateSet = { states, before, next: new Map() }
    this.sets.set(key, made)
    return made
  }
}

/** Reads a pattern. The error is a part of a sentence. */
export function linearPattern(source: string): Result<LinearPattern, string> {
  const pattern = LinearPattern.read(source)
  if (pattern) return ok(pattern)
  try {
    new RegExp(source)
    return err('has look-around, a back reference or more states than Find takes')
  } catch {
    return err('is not a regular expression')
  }
}
