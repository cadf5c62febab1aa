/** Collects steps up to a limit. */
import type { SourceRef } from '../../fx'
import type { Step, StepKind } from './types'

/** The parts of a step; omitted ones are null, and the writer adds those that all steps of an attempt share. */
export interface StepParts extends Partial<Omit<Step, 'index' | 'kind' | 'level' | 'text'>> {
  kind: StepKind
  text: string
  level?: Step['level']
}

const COARSE: ReadonlySet<StepKind> = new Set([
  'candidate',
  'entry',
  'attempt',
  'verdict',
  'barrier',
  'retrace',
  'extra-check',
  'insert',
  'erase',
  'done',
])

/** Kinds that follow an attempt and belong to none. */
const BETWEEN: ReadonlySet<StepKind> = new Set(['barrier', 'retrace', 'extra-check', 'insert', 'erase', 'done'])

/** Maximum number of steps in one timeline. */
const MAX_STEPS = 50_000

export class StepWriter {
  readonly steps: Step[] = []
  cut = false
  entry: number | null = null
  phase: Step['phase'] = null
  /** Source lines of the current entry's pattern nodes. */
  sources: readonly (SourceRef | null)[] = []

  get last(): number {
    return this.steps.length - 1
  }

  write(parts: StepParts): void {
    if (this.steps.length >= MAX_STEPS) {
      this.cut = true
      return
    }
    const patternNode = parts.patternNode ?? null
    this.steps.push({
      index: this.steps.length,
      level: COARSE.has(parts.kind) ? 'coarse' : 'fine',
      depth: 0,
      entry: this.entry,
      phase: BETWEEN.has(parts.kind) ? null : this.phase,
      graphNode: null,
      source: patternNode === null ? null : (this.sources[patternNode] ?? null),
      ok: null,
      expected: null,
      found: null,
      ...parts,
      patternNode,
    })
  }
}
