/**
 * The output of `fusescope explain --json`: explanations as flat data. docs/causes.md lists the kinds. Reason for length: the JSON of `explain` and what makes it.
 */
import { numbersText } from '../numbers/numbers_text'
import type { CaseExplanation } from '../cases/cases'
import type { Cause, EntryReport, Fix, Message, Reason, Violation } from '../protocol'
import type { SwitchedOff } from '../switches/types'
import { causeGroups } from './causes/cause_groups'
import { failedFiles, outcomeText } from './file_outcomes'
import { headlineOf, missFacts, nameOf, sizeOf } from './causes/headline'
import { errorText, printedFacts, type PrintedFacts } from './run_facts'
import { printedDecision, type PrintedDecision } from './stub_decisions'

export interface Diagnoses extends PrintedFacts {
  /** The closest cause with the number of patterns that share it, and of files that raised; absent if no near miss is close. */
  headline?: string
  /** Causes of the registration first, then near misses (nearest first), then causes of a whole pass. */
  diagnoses: Diagnosis[]
  lints: DiagnosedLint[]
  /** Invariants of the graph that rewrites break; absent if none. */
  violations?: { pass: string; kind: Violation['kind']; node: string; message: string }[]
  /** Files whose own exception, or that of a file they import, kept them from registering; absent if none. */
  failed_files?: { file: string; message: string }[]
  /** What the environment turned off, and what turns it on; absent if nothing. */
  off?: SwitchedOff[]
  /** What explaining skipped for lack of time; absent if it covered everything. */
  left_out?: { pass: string; message: string }[]
  /** The time limit for fixes was reached before every cause was tried. */
  cut?: true
  /** Number of runs with changes that the search for fixes made; absent if it did not search. */
  tried_changes?: number
}

export interface Diagnosis {
  /** Null if no pass ran. */
  pass: string | null
  entry: number | null
  /** Class or function that registered the pattern; null without a pattern. */
  title: string | null
  /** What distinguishes it from others of its class: `{"group_size": "128"}`; absent if it is the only one. */
  variant?: Record<string, string>
  /** The first anchor. */
  anchor: string | null
  /** Number of pattern nodes that align there, and their total. */
  aligned: number
  of: number
  /** Number of anchors with the same causes; 0 for a diagnosis without an anchor. */
  times: number
  /** The most likely cause first. */
  causes: DiagnosedCause[]
}

export interface DiagnosedCause {
  kind: Cause['kind']
  pattern_node: string | null
  source: { file: string; line: number } | null
  graph_node: string | null
  argument: string | null
  expected: string | null
  found: string | null
  message: string
  /** `message` with the nodes, operators and code that it names marked. */
  parts: Message
  /** Typed facts of the message; null if Python raised. */
  reason: Reason | null
  /** What to write instead, for an exception; absent if unknown. */
  advice?: string
  /** Answers of stubs that the cause rests on; absent if none. */
  stubs?: PrintedDecision[]
  /** Releases of a project that declare the operator differently for graph and pattern. */
  versions?: Cause['versions']
  /** The guessed schema that the cause follows from. */
  guessed?: Cause['guessed']
  /** Fixes that fire and, as far as compared, preserve the numerics. */
  fixes: DiagnosedFix[]
  /** Changes that fire but change the numerics, and are not offered; absent if there are none. */
  tried?: DiagnosedFix[]
}

export interface DiagnosedFix {
  title: string
  /** The changes that the title summarizes; absent where it names them all. */
  changes?: string[]
  /** True if it fires, and `numbers` is equal or close, or unknown with a reason in `numbers_detail.reason`. */
  verified: boolean
  /** Comparison of the graph's results with and without the fix, by Run's rules. */
  numbers: Fix['numbers']
  /** The outcome in one sentence. */
  numbers_message: string
  numbers_detail: {
    kinds: number
    compared: number
    inputs: string[]
    output: string | null
    input: string | null
    max_abs: number | string | null
    max_rel: number | string | null
    nan_mismatches: number
    known_differences: string[]
    operator: string | null
    reason: string | null
    /** Why the body of the workspace's own operator was not used; absent: it was, or there is none. */
    untraced?: string
    /** Sizes of 512 and more were divided by this; absent: by nothing. */
    sizes_divided_by?: number
    timed_out: boolean
    ms: number
  }
  matches_before: number
  matches_after: number
  kind: Fix['kind']
  /** Source range in the user's files; columns from 1. */
  edits: Fix['edits']
  diff: string
  /** True if it keeps the pattern and registers a second one with the change; the counts are those of the second. */
  second?: true
  /** The same change as a second registration, which keeps the pattern as it is; absent: none was found, or `second`. */
  alongside?: DiagnosedFix
}

export interface DiagnosedLint {
  pass: string
  entry: number
  kind: string
  times: number
  graph_node: string | null
  argument: string | null
  source: { file: string; line: number } | null
  message: string
  parts: Message
  /** Changes with which the pattern no longer has it; absent if none was found. */
  fixes?: DiagnosedFix[]
}

const isOfGraph = (d: Diagnosis): boolean => d.causes[0]?.kind === 'graph-level'

/** What kept patterns from existing. */
function beforeMatching({ causes, files = [], off }: CaseExplanation): Pick<Diagnoses, 'failed_files' | 'off'> {
  // A refused registration is a cause, which says more.
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
  const broken = e.passes.flatMap((p) =>
    (p.violations ?? []).map(({ kind, node, sentence }) => ({ pass: p.name, kind, node, message: sentence })),
  )
  const before = beforeMatching(e)
  const open = misses.filter((m) => !m.taken).map((m) => m.d)
  const headline = headlineOf(causeGroups(open)[0], before.failed_files?.length ?? 0)
  return {
    ...(headline !== null && { headline }),
    ...before,
    ...(broken.length > 0 && { violations: broken }),
    ...(leftOut.length > 0 && { left_out: leftOut }),
    ...(e.cut && { cut: true as const }),
    ...(e.tried !== undefined && { tried_changes: e.tried }),
    ...printedFacts(e, e.passes),
    diagnoses: [
      ...early,
      // A graph of another level is the reason of its near misses.
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
  const { numbersDetail: d } = f
  return {
    title: f.title,
    ...(f.changes ? { changes: f.changes } : {}),
    verified: f.verified,
    numbers: f.numbers,
    numbers_message: numbersText(f),
    numbers_detail: {
      kinds: d.kinds,
      compared: d.compared,
      inputs: d.inputs,
      output: d.output,
      input: d.input,
      max_abs: finite(d.maxAbs),
      max_rel: finite(d.maxRel),
      nan_mismatches: d.nanMismatches ?? 0,
      known_differences: d.known ?? [],
      operator: d.operator,
      reason: d.reason,
      ...(d.untraced !== undefined && { untraced: d.untraced }),
      ...(d.sizesDividedBy !== undefined && { sizes_divided_by: d.sizesDividedBy }),
      timed_out: d.timedOut ?? false,
      ms: d.ms,
    },
    matches_before: f.matchesBefore,
    matches_after: f.matchesAfter,
    kind: f.kind,
    edits: f.edits,
    diff: f.diff,
    ...(f.second && { second: f.second }),
    ...(f.alongside && { alongside: fixOf(f.alongside) }),
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

const place = (source: { file: string; line: number } | null): { file: string; line: number } | null =>
  source && { file: source.file, line: source.line }
