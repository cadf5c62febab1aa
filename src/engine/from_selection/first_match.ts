/** Runs the forms of a pattern until one matches the selection. */
import { err, ok, type Result } from '../../base/result'
import type { Graph } from '../../fx'
import type { SchemaLookup } from '../../matcher'
import type { Form } from './forms'
import { areEqualCalls } from './limits'
import { misbinding } from './output_orders'
import { both, conditionsFor, DISTINCT, type Condition } from './overlaps'
import type { SelectedNodes } from './types'

/** One run of a file on the graph. */
export interface Trial {
  /** Why nothing was registered, or the exception that ended the pass. */
  error: string | null
  /** Nodes of each replaced match, in order. */
  applied: readonly (readonly string[])[]
  /** Reason of the failed attempt that reached the most nodes of the selection. */
  failure: string | null
}

/** A form, and its file. */
export interface FormFile {
  form: Form
  /** @param condition a check of each match */
  python: (condition: Condition | null) => string
}

export interface FirstMatch {
  python: string
  form: Form
  applied: Trial['applied']
  /** The condition of the check if equal places overlap the selection. */
  overlaps: Condition | null
}

export interface MatchOptions {
  run: (python: string, selected: ReadonlySet<string>) => Trial
  schemaOf: SchemaLookup
}

/** @returns an error: one sentence that says why no form matches */
export function firstMatch(
  graph: Graph,
  selection: SelectedNodes,
  files: Iterable<FormFile>,
  { run, schemaOf }: MatchOptions,
): Result<FirstMatch, string> {
  const selected = new Set(selection.nodes.map((n) => n.name))
  const isSelection = (nodes: readonly string[]): boolean =>
    new Set(nodes).size === selected.size && nodes.every((n) => selected.has(n))
  /** The first form that replaces places overlapping the selection. */
  let overlapped: FormFile | null = null
  let failure: string | null = null
  const seen = new Set<string>()
  for (const file of files) {
    const distinct = file.form.unique ? null : DISTINCT
    const python = file.python(distinct)
    if (seen.has(python)) continue
    seen.add(python)
    const { applied, ...trial } = run(python, selected)
    if (trial.error === null && applied.some(isSelection))
      return ok({ python, form: file.form, applied, overlaps: null })
    failure = trial.error ?? trial.failure ?? failure
    const isOverlap = (nodes: readonly string[]): boolean =>
      nodes.length === selected.size && nodes.some((n) => selected.has(n))
    if (trial.error === null && applied.some(isOverlap)) overlapped ??= file
  }
  if (overlapped)
    for (const condition of conditionsFor(graph, selection, overlapped.form, schemaOf)) {
      const python = overlapped.python(overlapped.form.unique ? condition : both(DISTINCT, condition))
      const { applied, error } = run(python, selected)
      if (error === null && applied.some(isSelection))
        return ok({ python, form: overlapped.form, applied, overlaps: condition })
    }
  return err(unreachable(selection, schemaOf) ?? failureText(failure))
}

/** The matcher takes a different call in place of a selected one, because both fit. */
function unreachable(selection: SelectedNodes, schemaOf: SchemaLookup): string | null {
  const wrong = misbinding(selection, schemaOf)
  if (!wrong) return null
  const { wanted, taken } = wrong
  return areEqualCalls(wanted, taken)
    ? `%${taken.name} and %${wanted.name} are the same call on the same inputs: PyTorch binds both to the first of them and does not go back, so no pattern matches both.`
    : `%${taken.name} fits where %${wanted.name} does: PyTorch takes the first reader of a shared value that fits and does not go back, so no pattern reaches all selected nodes.`
}

const failureText = (reason: string | null): string =>
  reason === null
    ? 'No kind of pattern can contain these nodes.'
    : `PyTorch’s matcher fails at these nodes: ${reason.split('\n')[0]!.replace(/\.$/, '')}.`
