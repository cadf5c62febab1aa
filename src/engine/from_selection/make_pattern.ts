/** Makes a pattern that matches a selection. */
import { err, ok, type Result } from '../../base/result'
import { listed } from '../../base/english'
import type { Graph, Node } from '../../fx'
import type { SchemaLookup } from '../../matcher'
import { beyondComputing, type Beyond, type Standing } from '../../ops/calls/computes'
import { constantsOf } from './constants'
import { exampleInputs } from './example_inputs'
import { firstMatch, type FormFile, type MatchOptions } from './first_match'
import { formsOf, type Form } from './forms'
import { isReserved } from './input_names'
import { limitOf } from './limits'
import { resultsOf, writtenInputs } from './operator_code'
import type { Condition } from './overlaps'
import { patternFile } from './pattern_file'
import { selectionOf } from './selection'
import type { MadePattern, PatternConstant, PatternForm, PatternOptions, SelectedNodes } from './types'

export interface Declarations {
  lines: readonly string[]
  /** The results of an operator are unknown, so nothing can be traced. */
  untraceable: boolean
}

export interface PatternContext {
  /** Name of the graph. */
  title: string
  schemaOf: SchemaLookup
  /** Operators that the user's own files name. */
  stands: Standing
  /** Declares the operators of these nodes that PyTorch lacks. */
  declarations: (nodes: readonly Node[]) => Declarations
  run: MatchOptions['run']
}

/** @returns an error: one sentence that says why no pattern can match the nodes */
export function makePattern(
  graph: Graph,
  names: readonly string[],
  options: PatternOptions,
  context: PatternContext,
): Result<MadePattern, string> {
  const picked = pickedNodes(graph, names)
  if (!picked.ok) return picked
  const { schemaOf, stands } = context
  const uncalled = [...picked.value].map((n) => beyondComputing(n, stands)).find((found) => found !== null)
  const selection = { ...selectionOf(graph, picked.value, schemaOf), ...(uncalled && { uncalled }) }
  const limit = limitOf(graph, selection, schemaOf)
  if (limit !== null) return err(limit)
  if (uncalled && options.form === 'traced')
    return err(`A traced pattern calls what it matches, and ${neverCalled(uncalled)}.`)
  const constants = constantsOf(selection, schemaOf)
  const wrong = wrongOption(options, constants)
  if (wrong !== null) return err(wrong)
  const parameters = constants.filter((c) => options.parameters?.includes(c.name))
  const name = options.name ?? nameOf(selection)
  const files = filesOf(selection, { name, parameters }, options.form, context)
  const attempt = firstMatch(graph, selection, files, context)
  if (!attempt.ok) return attempt
  const { python, form, applied, overlaps } = attempt.value
  return ok({
    name,
    python,
    form: form.kind === 'traced' ? 'traced' : 'expression',
    matches: applied.length,
    places: applied,
    constants,
    parameters: parameters.map((p) => p.name),
    inputs: selection.inputs.map((i) => ({ name: i.name, node: i.node.name })),
    outputs: form.outputs.map((o) => o.name),
    notes: notesOf(selection, form, overlaps),
  })
}

function* filesOf(
  selection: SelectedNodes,
  { name, parameters }: { name: string; parameters: readonly PatternConstant[] },
  only: PatternForm | undefined,
  { title, schemaOf, declarations }: PatternContext,
): Generator<FormFile> {
  const examples = exampleInputs(selection)
  const { lines, untraceable } = declarations(selection.nodes)
  const mutated = writtenInputs(selection, schemaOf)
  for (const form of formsOf(selection, schemaOf, {
    shaped: examples !== null && !untraceable,
    ...(only && { only }),
  })) {
    const results = resultsOf(form.outputs, schemaOf)
    if (!results) continue
    const parts = { name, graph: title, selection, form, results, parameters, examples, mutated, declarations: lines }
    const python = (condition: Condition | null): string | null => patternFile({ ...parts, condition })
    if (python(null) !== null) yield { form, python: (condition) => python(condition)! }
  }
}

const neverCalled = ({ operator, why }: Beyond): string => `${operator} ${why}: write this call yourself`

/** One sentence; null for usable options. */
function wrongOption({ name, parameters }: PatternOptions, constants: readonly PatternConstant[]): string | null {
  const known = constants.map((c) => c.name)
  const unknown = parameters?.find((p) => !known.includes(p))
  if (unknown !== undefined)
    return `The selection has no constant ${unknown} that can be a parameter; it has ${listed(known, 8)}.`
  return name === undefined || (/^[A-Za-z_]\w*$/.test(name) && !isReserved(name))
    ? null
    : `${JSON.stringify(name)} is not a free name for a Python function.`
}

function pickedNodes(graph: Graph, names: readonly string[]): Result<ReadonlySet<Node>, string> {
  if (names.length === 0) return err('No node is selected.')
  const known = new Map([...graph.nodes()].map((n) => [n.name, n]))
  const missing = names.filter((n) => !known.has(n))
  if (missing.length > 0) return err(`The graph has no node ${listed(missing)}.`)
  return ok(new Set(names.map((n) => known.get(n)!)))
}

/** `rms_norm`-like names cannot be guessed: the operators' names, in order, at most three. */
function nameOf({ nodes }: SelectedNodes): string {
  const words = nodes
    .map((n) => n.name.replace(/_\d+$/, '').replace(/\W/g, '_').replace(/^_+/, ''))
    .filter((w) => !/^(?:getitem|view|reshape|permute|convert_element_type)$/.test(w))
  const distinct = [...new Set(words)].slice(0, 3)
  const name = distinct.join('_')
  return name === '' || !/^[A-Za-z]/.test(name) || isReserved(name) ? `fused_${name || 'views'}` : `fused_${name}`
}

function notesOf(selection: SelectedNodes, form: Form, overlaps: Condition | null): string[] {
  const notes: string[] = []
  if (selection.uncalled)
    notes.push(`The file names what it matches and never calls it, because ${neverCalled(selection.uncalled)}.`)
  if (overlaps)
    notes.push(
      `Equal places overlap the selection, and PyTorch replaces the last of them first: extra_check takes those ${overlaps.text}.`,
    )
  const { kept } = selection
  if (kept.length > 0)
    notes.push(
      `${listed(kept.map((n) => `%${n.name}`))} ${kept.length === 1 ? 'stays' : 'stay'} in the graph, because inputs of the selection are computed from ${kept.length === 1 ? 'it' : 'them'}: the operator computes ${kept.length === 1 ? 'it' : 'them'} again, unless the nodes between are selected too.`,
    )
  if (!form.unique)
    notes.push(
      'Several calls fit in one place, and the matcher takes the first reader of a value: the text does not show their order.',
    )
  const first = form.outputs.reduce((a, b) => (b.isBefore(a) ? b : a))
  const late = selection.inputs.filter(({ node }) => first.isBefore(node))
  if (late.length > 0)
    notes.push(
      `PyTorch inserts the replacement before %${first.name}, above its ${late.length === 1 ? 'input' : 'inputs'} ${listed(late.map(({ node }) => `%${node.name}`))}: sort the graph after the pass (stable_topological_sort).`,
    )
  return notes
}
