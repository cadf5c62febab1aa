/** The output of `fusescope explain --json`: a view of an explained report as flat data. docs/causes.md lists the kinds. */
import { plainText, type Message } from '../../base/message'
import { numbersText } from '../numbers/numbers_text'
import type { CaseExplanation } from '../cases/cases'
import type { NumbersDetail } from '../../explain/fixes/types'
import { conditionMessage } from '../pipeline/condition_text'
import type { StageCondition } from '../pipeline/types'
import type { Cause, EntryReport, Fix, Lint, Reason, Violation } from '../protocol'
import type { SwitchedOff } from '../switches/types'
import { causeGroups, type Grouped } from './causes/cause_groups'
import { failedFiles, outcomeText } from './file_outcomes'
import { headlineOf, missFacts, nameOf, sizeOf } from './causes/headline'
import { errorText, printedFacts, type PrintedFacts } from './run_facts'
import { printedDecision, type PrintedDecision } from './stub_decisions'

export interface Diagnoses extends PrintedFacts {
  /** The closest cause, with the numbers of patterns that share it and of failed files; absent if no near miss is close. */
  headline?: string
  /** Causes of the registration first, then near misses (nearest first), then causes of a whole pass. */
  diagnoses: Diagnosis[]
  lints: DiagnosedLint[]
  /**
   * Invariants of the graph that rewrites violate; violations by code on the graph lack `kind` and `node`. Absent if there are
   * none.
   */
  violations?: { pass: string; kind?: Violation['kind']; node?: string; message: string }[]
  /** The conditions that kept code on the graph from an edit; absent if there are none. */
  conditions?: (Omit<StageCondition, 'source' | 'near' | 'skipped' | 'instead' | 'fixes' | 'tried'> & {
    pass: string
    source: Place
    message: string
    parts: Message
    /** Changes with which the code edits the graph and, if compared, preserves the values; absent if there are none. */
    fixes?: DiagnosedFix[]
    /** Changes with which the values change; absent if there are none. */
    tried?: DiagnosedFix[]
  })[]
  /** Files that did not register patterns because of their own exception or that of an imported file; absent if there are none. */
  failed_files?: { file: string; message: string }[]
  /** What the environment turned off, and the settings that turn it on; absent if nothing. */
  off?: SwitchedOff[]
  /** What explaining skipped for lack of time; absent if it covered everything. */
  left_out?: { pass: string; message: string }[]
  /** The time limit for fixes was reached before every cause was tried. */
  cut?: true
  /** Number of runs with changes that the search for fixes made; absent if it did not search. */
  tried_changes?: number
}

/** A near miss, a cause of a whole pass, or one of the registration. */
export interface Diagnosis extends Grouped {
  causes: DiagnosedCause[]
}

type Place = { file: string; line: number } | null

export interface DiagnosedCause extends Pick<
  Cause,
  'kind' | 'argument' | 'expected' | 'found' | 'parts' | 'versions' | 'guessed'
> {
  pattern_node: string | null
  source: Place
  graph_node: string | null
  /** `parts` as plain text. */
  message: string
  /** Typed facts of the message; null if Python raised. */
  reason: Reason | null
  /** Advice for an exception; absent if unknown. */
  advice?: string
  /** Answers of stubs that the cause rests on; absent if none. */
  stubs?: PrintedDecision[]
  /** Fixes that make the pattern fire and, if compared, preserve the values. */
  fixes: DiagnosedFix[]
  /** Changes that make the pattern fire but change the values; they are not offered. Absent if there are none. */
  tried?: DiagnosedFix[]
}

export interface DiagnosedFix extends Pick<
  Fix,
  'title' | 'changes' | 'verified' | 'numbers' | 'kind' | 'edits' | 'diff' | 'second' | 'code'
> {
  /** The outcome of `numbers` in one sentence. */
  numbers_message: string
  numbers_detail: Pick<
    NumbersDetail,
    'kinds' | 'compared' | 'inputs' | 'output' | 'input' | 'operator' | 'reason' | 'untraced' | 'ms'
  > & {
    /** Infinity as text. */
    max_abs: number | string | null
    max_rel: number | string | null
    nan_mismatches: number
    known_differences: string[]
    /** Divisor of sizes of 512 and more; absent: not divided. */
    sizes_divided_by?: number
    timed_out: boolean
  }
  matches_before: number
  matches_after: number
  alongside?: DiagnosedFix
}

export interface DiagnosedLint extends Pick<Lint, 'entry' | 'kind' | 'times' | 'argument' | 'parts'> {
  pass: string
  graph_node: string | null
  source: Place
  message: string
  /** Changes after which the pattern no longer has it; absent if none was found. */
  fixes?: DiagnosedFix[]
}

const isOfGraph = (d: Diagnosis): boolean => d.causes[0]?.kind === 'graph-level'

/** What kept patterns from being registered. */
function beforeMatching({ causes, files = [], off }: CaseExplanation): Pick<Diagnoses, 'failed_files' | 'off'> {
  // A refused registration is a cause, which is more informative.
  const refused = new Set(causes.map((c) => c.source?.file))
  const failed = failedFiles(files).filter((f) => !refused.has(f.file))
  const decided = off.filter((o) => o.guards.length > 0 || o.on !== null)
  return {
    ...(failed.length > 0 && { failed_files: failed.map((f) => ({ file: f.file, message: outcomeText(f) })) }),
    ...(decided.length > 0 && { off: decided }),
  }
}

export function diagnosesOf(e: CaseExplanation): Diagnoses {
  const early = e.causes.map((cause) => diagnosis(null, null, cause))
  // Python raised an error other than a refused registration: nothing was registered.
  if (e.python && early.length === 0) early.push(raised(errorText(e.python), e.python.advice))
  const misses = e.passes.flatMap((p) =>
    p.nearMisses.map((m) => ({
      taken: m.taken,
      d: {
        ...missFacts(p.name, m, p.entries[m.entry]),
        causes: (m.causes ?? []).map((c) => causeOf(c, p.entries[m.entry])),
      },
    })),
  )
  const whole = e.passes.flatMap((p) =>
    p.causes.map((c) => diagnosis(p.name, c.entry === undefined ? null : (p.entries[c.entry] ?? null), c)),
  )
  const leftOut = e.passes.flatMap((p) => (p.leftOut === undefined ? [] : [{ pass: p.name, message: p.leftOut }]))
  const broken = [
    ...e.passes.flatMap((p) =>
      (p.violations ?? []).map(({ kind, node, sentence }) => ({ pass: p.name, kind, node, message: sentence })),
    ),
    ...e.stages.flatMap((s) => s.broken.map((sentence) => ({ pass: s.stage, message: sentence }))),
  ]
  const kept = e.stages.flatMap(({ stage, conditions = [] }) => conditions.map((c) => conditionOf(stage, c)))
  const before = beforeMatching(e)
  const open = misses.filter((m) => !m.taken).map((m) => m.d)
  const headline = headlineOf(causeGroups(open)[0], before.failed_files?.length ?? 0)
  return {
    ...(headline !== null && { headline }),
    ...before,
    ...(broken.length > 0 && { violations: broken }),
    ...(kept.length > 0 && { conditions: kept }),
    ...(leftOut.length > 0 && { left_out: leftOut }),
    ...(e.cut && { cut: true as const }),
    ...(e.tried !== undefined && { tried_changes: e.tried }),
    ...printedFacts(e, e.passes),
    diagnoses: [
      ...early,
      // A graph of another level is the reason for its near misses.
      ...whole.filter(isOfGraph),
      ...open,
      ...whole.filter((d) => !isOfGraph(d)),
      ...misses.filter((m) => m.taken).map((m) => m.d),
    ],
    lints: e.passes.flatMap((p) =>
      p.lints.map(({ entry, kind, times, graphNode, argument, source, sentence, parts, fixes = [] }) => ({
        pass: p.name,
        entry,
        kind,
        times,
        graph_node: graphNode,
        argument,
        source: place(source),
        message: sentence,
        parts,
        ...(fixes.length > 0 && { fixes: fixes.map(fixOf) }),
      })),
    ),
  }
}

function conditionOf(pass: string, condition: StageCondition): NonNullable<Diagnoses['conditions']>[number] {
  const { source, text, counts, nodes, examples, fixes = [], tried = [] } = condition
  const parts = conditionMessage(condition)
  return {
    pass,
    source: place(source),
    text,
    counts,
    nodes,
    examples,
    message: plainText(parts),
    parts,
    ...(fixes.length > 0 && { fixes: fixes.map(fixOf) }),
    ...(tried.length > 0 && { tried: tried.map(fixOf) }),
  }
}

const diagnosis = (pass: string | null, entry: EntryReport | null, cause: Cause): Diagnosis => ({
  pass,
  entry: entry?.index ?? cause.entry ?? null,
  ...nameOf(entry ?? undefined),
  anchor: cause.graphNode,
  aligned: 0,
  of: sizeOf(entry ?? undefined),
  times: 0,
  causes: [causeOf(cause, entry ?? undefined)],
})

function causeOf(c: Cause, entry: EntryReport | undefined): DiagnosedCause {
  return {
    kind: c.kind,
    pattern_node: c.patternNode === null ? null : (entry?.pattern.nodes[c.patternNode]?.name ?? null),
    source: place(c.source ?? (c.patternNode === null ? (entry?.source ?? null) : null)),
    graph_node: c.graphNode,
    argument: c.argument,
    expected: c.expected,
    found: c.found,
    message: c.sentence,
    parts: c.parts,
    reason: c.reason,
    ...(c.stubs && { stubs: c.stubs.map(printedDecision) }),
    ...(c.versions && { versions: c.versions }),
    ...(c.guessed && { guessed: c.guessed }),
    fixes: (c.fixes ?? []).map(fixOf),
    ...(c.tried && { tried: c.tried.map(fixOf) }),
  }
}

function fixOf(f: Fix): DiagnosedFix {
  const { numbersDetail, matchesBefore, matchesAfter, sent: _sent, alongside, ...same } = f
  const { maxAbs, maxRel, nanMismatches, known, sizesDividedBy, timedOut, ...detail } = numbersDetail
  const { unsafe: _unsafe, dtype: _dtype, ...compared } = detail
  return {
    ...same,
    numbers_message: numbersText(f),
    numbers_detail: {
      ...compared,
      max_abs: finite(maxAbs),
      max_rel: finite(maxRel),
      nan_mismatches: nanMismatches ?? 0,
      known_differences: known ?? [],
      ...(sizesDividedBy !== undefined && { sizes_divided_by: sizesDividedBy }),
      timed_out: timedOut ?? false,
    },
    matches_before: matchesBefore,
    matches_after: matchesAfter,
    ...(alongside && { alongside: fixOf(alongside) }),
  }
}

/** JSON has no infinity. */
const finite = (x: number | null): number | string | null => (x === null || Number.isFinite(x) ? x : String(x))

const raisedMessage = (error: string, advice: string | undefined): string =>
  `the Python code raised ${error}, so no pattern was registered${advice === undefined ? '' : `. ${advice}`}`

const raised = (error: string, advice: string | undefined): Diagnosis => ({
  pass: null,
  entry: null,
  title: null,
  anchor: null,
  aligned: 0,
  of: 0,
  times: 0,
  causes: [
    {
      kind: 'not-registered',
      pattern_node: null,
      source: null,
      graph_node: null,
      argument: null,
      expected: null,
      found: error,
      message: raisedMessage(error, advice),
      parts: [raisedMessage(error, advice)],
      ...(advice !== undefined && { advice }),
      reason: null,
      fixes: [],
    },
  ],
})

const place = (source: Place): Place => source && { file: source.file, line: source.line }
