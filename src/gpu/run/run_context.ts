/** Context shared by the parts of a run: settings, the report they fill, and progress. */
import type { RunOptions, RunProgress, RunReport } from '../types'

const DEFAULTS = {
  distribution: 'normal',
  seed: 1,
  samples: 15,
  timeBudgetMs: 4000,
  referenceElements: 2 ** 21,
} as const

export type RunSettings = Required<Pick<RunOptions, keyof typeof DEFAULTS>> & Pick<RunOptions, 'kernelBudgetMs'>

export interface RunContext {
  readonly report: RunReport
  readonly settings: RunSettings
  /** Reports the progress of the run; throws if it was aborted. */
  tell(stage: RunProgress['stage'], text: string, fraction: number): void
  /** Throws if the run was aborted. */
  aborted(): void
}

export function settingsOf(options: RunOptions): RunSettings {
  return { ...DEFAULTS, ...withoutUndefined(options) }
}

function withoutUndefined<T extends object>(o: T): Partial<T> {
  return Object.fromEntries(Object.entries(o).filter(([, v]) => v !== undefined)) as Partial<T>
}
