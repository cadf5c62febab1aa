/** The stubs' answers that a result rests on. */
import type { Attempt, StubDecision } from '../../matcher/types'
import type { Stub } from '../../python/types'
import type { PassReport } from './pass_types'

/** Decisions of a run and of the extra_checks of its passes, each line once, in the order of file and line. */
export function stubDecisions(
  stubs: readonly Stub[],
  passes: readonly (Pick<PassReport, 'attemptFacts'> & { readonly attempts: readonly Attempt[] })[] = [],
): StubDecision[] {
  const all = [
    ...stubs.flatMap((s) => s.decided ?? []),
    ...passes.flatMap((p) => p.attemptFacts?.stubs ?? p.attempts.flatMap((a) => a.stubs ?? [])),
  ].filter((d) => d.phase !== 'test')
  const distinct = new Map(all.map((d) => [[d.module, d.asked, d.source?.file, d.source?.line].join('\u0000'), d]))
  return [...distinct.values()].sort(byLine)
}

/** The decisions made while the files were loaded: the registrations rest on them. */
export const decidedAtLoad = (stubs: readonly Stub[]): StubDecision[] =>
  stubDecisions(stubs).filter((d) => d.phase === 'load')

function byLine(a: StubDecision, b: StubDecision): number {
  const [x, y] = [a.source?.file ?? '', b.source?.file ?? '']
  return x < y ? -1 : x > y ? 1 : (a.source?.line ?? 0) - (b.source?.line ?? 0)
}

/** What each phase decided, completing "The stub … answered False and decided …". */
const DECIDED: Readonly<Record<StubDecision['phase'], string>> = {
  load: 'which code ran as the file was loaded',
  trace: 'what a function traces to',
  extra_check: 'an extra_check',
  handler: 'what a handler does',
  pass: 'what a pass does',
  match: 'a match',
  test: 'a unit test',
}

/** `config.fast answered False and decided an extra_check`. */
export const decisionText = ({ asked, answer, phase }: Pick<StubDecision, 'asked' | 'answer' | 'phase'>): string =>
  `${asked} answered ${answer} and decided ${DECIDED[phase]}`

/** JSON form of the command line. */
export interface PrintedDecision {
  module: string
  asked: string
  answer: string
  phase: StubDecision['phase']
  source: { file: string; line: number; code: string } | null
}

export const printedDecision = ({ module, asked, answer, phase, source }: StubDecision): PrintedDecision => ({
  module,
  asked,
  answer,
  phase,
  source: source && { file: source.file, line: source.line, code: source.code ?? '' },
})

/** Lines for the terminal; the first introduces the others. None without decisions. */
export function decisionLines(decisions: readonly PrintedDecision[]): string[] {
  if (decisions.length === 0) return []
  const answers = decisions.length === 1 ? 'the answer of a stub' : `${decisions.length} answers of stubs`
  return [
    `this result rests on ${answers}; define what is stubbed in a file to be sure:`,
    ...decisions.map((d) => {
      const at = d.source ? `${d.source.file}:${d.source.line}: ` : ''
      const code = d.source?.code ? `: ${d.source.code}` : ''
      return `  ${at}${d.module}.${decisionText(d)}${code}`
    }),
  ]
}
