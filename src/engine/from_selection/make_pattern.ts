/** Makes a pattern that matches a selection: runs each form until one does. */
import { err, ok, type Result } from '../../base/result'
import { listed } from '../../base/english'
import type { Graph, Node } from '../../fx'
import type { SchemaLookup } from '../../matcher'
import { constantsOf } from './constants'
import { exampleInputs } from './example_inputs'
import { formsOf, type Form } from './forms'
import { isReserved } from './input_names'
import { equalCalls, limitOf } from './limits'
import { resultsOf } from './operator_code'
import { patternFile } from './pattern_file'
import { selectionOf } from './selection'
import type { MadePattern, PatternConstant, PatternForm, PatternOptions, SelectedNodes } from './types'

/** One run of a file on the graph. */
export interface Trial {
  /** Why nothing was registered, or what ended the pass. */
  error: string | null
  /** Nodes of each replaced match, in order. */
  applied: readonly (readonly string[])[]
  /** Nodes of each initial match that was found, replaced or not. */
  found: readonly (readonly string[])[]
  /** Reason of the failed attempt that reached most nodes of the selection. */
  failure: string | null
}

export interface Declarations {
  lines: readonly string[]
  /** The results of an operator are unknown, so nothing can be traced. */
  untraceable: boolean
}

export interface PatternContext {
  /** Name of the graph. */
  title: string
  schemaOf: SchemaLookup
  /** Declares the operators of these nodes that PyTorch lacks. */
  declarations: (nodes: readonly Node[]) => Declarations
  /** @param reject true: every match is found and none is replaced */
  run: (python: string, selected: ReadonlySet<string>, reject: boolean) => Trial
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
  const { schemaOf } = context
  const selection = selectionOf(graph, picked.value, schemaOf)
  const limit = limitOf(graph, selection, schemaOf)
  if (limit !== null) return err(limit)
  const constants = constantsOf(selection, schemaOf)
  const wrong = wrongOption(options, constants)
  if (wrong !== null) return err(wrong)
  const parameters = constants.filter((c) => options.parameters?.includes(c.name))
  const name = options.name ?? nameOf(selection)
  const attempt = firstMatch(
    graph,
    filesOf(selection, { name, parameters }, options.form, context),
    context.run,
    selection,
  )
  if (!attempt.ok) return err(equalCalls(selection) ?? attempt.error)
  const { python, form, applied, overlapped } = attempt.value
  return ok({
    name,
    python,
    form: form.kind === 'traced' ? 'traced' : 'expression',
    matches: applied.length,
    places: applied,
    overlapped,
    constants,
    parameters: parameters.map((p) => p.name),
    inputs: selection.inputs.map((i) => ({ name: i.name, node: i.node.name })),
    outputs: form.outputs.map((o) => o.name),
    notes: notesOf(selection, form),
  })
}

/** Every form of a pattern for nodes, whether one can match or not: a real PyTorch tells if a refusal is right. */
export function writtenForms(graph: Graph, names: readonly string[], context: PatternContext): string[] {
  const picked = pickedNodes(graph, names)
  if (!picked.ok) return []
  const selection = selectionOf(graph, picked.value, context.schemaOf)
  return [...filesOf(selection, { name: nameOf(selection), parameters: [] }, undefined, context)].map((f) => f.python)
}

interface FormFile {
  form: Form
  python: string
}

function* filesOf(
  selection: SelectedNodes,
  { name, parameters }: { name: string; parameters: readonly PatternConstant[] },
  only: PatternForm | undefined,
  { title, schemaOf, declarations }: PatternContext,
): Generator<FormFile> {
  const examples = exampleInputs(selection)
  const { lines, untraceable } = declarations(selection.nodes)
  for (const form of formsOf(selection, schemaOf, {
    shaped: examples !== null && !untraceable,
    ...(only && { only }),
  })) {
    const results = resultsOf(form.outputs, schemaOf)
    const python =
      results &&
      patternFile({ name, graph: title, selection, form, results, parameters, examples, declarations: lines })
    if (python !== null) yield { form, python }
  }
}

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

interface FirstMatch {
  python: string
  form: Form
  applied: Trial['applied']
  overlapped: Trial['found']
}

function firstMatch(
  graph: Graph,
  files: Iterable<FormFile>,
  run: PatternContext['run'],
  { nodes: wanted }: SelectedNodes,
): Result<FirstMatch, string> {
  const selected = new Set(wanted.map((n) => n.name))
  const isSelection = (nodes: readonly string[]): boolean =>
    new Set(nodes).size === selected.size && nodes.every((n) => selected.has(n))
  const common = (nodes: readonly string[]): number => nodes.filter((n) => selected.has(n)).length
  let overlapping: FirstMatch | null = null
  let failure: string | null = null
  let other: readonly string[] = []
  const seen = new Set<string>()
  for (const { form, python } of files) {
    if (seen.has(python)) continue
    seen.add(python)
    const { applied, ...trial } = run(python, selected, false)
    if (trial.error === null && applied.some(isSelection)) return ok({ python, form, applied, overlapped: [] })
    failure = trial.error ?? trial.failure ?? failure
    if (overlapping || trial.error !== null || applied.length === 0) continue
    const { found } = run(python, selected, true)
    for (const nodes of found) if (common(nodes) > common(other)) other = nodes
    if (!found.some(isSelection)) continue
    const replaced = new Set(applied.map((nodes) => nodes.join()))
    overlapping = { python, form, applied, overlapped: found.filter((nodes) => !replaced.has(nodes.join())) }
  }
  return overlapping ? ok(overlapping) : err(otherCall(graph, selected, other) ?? failureText(failure))
}

/** A match that has another call in the place of a selected one: both fit. */
function otherCall(graph: Graph, selected: ReadonlySet<string>, match: readonly string[]): string | null {
  const byName = new Map([...graph.nodes()].map((n) => [n.name, n]))
  const taken = match.filter((n) => !selected.has(n)).map((n) => byName.get(n)!)
  const left = [...selected].filter((n) => !match.includes(n)).map((n) => byName.get(n)!)
  const twice = match.filter((n) => selected.has(n)).map((n) => byName.get(n)!)
  for (const other of [...taken, ...(left.length > 0 && match.length > 0 ? twice : [])]) {
    const instead = left.find((n) => n.target === other.target && n.op === other.op)
    if (instead)
      return `%${other.name} fits where %${instead.name} does: PyTorch takes the first reader of a shared value that fits and does not go back, so no pattern reaches all selected nodes.`
  }
  return null
}

const failureText = (reason: string | null): string =>
  reason === null
    ? 'No form of a pattern can hold these nodes.'
    : `PyTorch’s matcher fails at these nodes: ${reason.split('\n')[0]!.replace(/\.$/, '')}.`

function notesOf(selection: SelectedNodes, form: Form): string[] {
  const first = form.outputs.reduce((a, b) => (b.isBefore(a) ? b : a))
  const late = selection.inputs.filter(({ node }) => first.isBefore(node))
  if (late.length === 0) return []
  return [
    `PyTorch inserts the replacement before %${first.name}, above its ${late.length === 1 ? 'input' : 'inputs'} ${listed(late.map(({ node }) => `%${node.name}`))}: sort the graph after the pass (stable_topological_sort).`,
  ]
}
