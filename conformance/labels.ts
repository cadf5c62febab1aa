/** Maps a recording's `perturbation` label to the expected cause, and counts how often the first cause agrees. */
import { readFileSync } from 'node:fs'
import { type CaseExplanation, type CaseInput, explainCase } from '../src/engine/cases/cases'
import type { Interpreter } from '../src/engine/run/interpreter'
import type { Cause, CauseKind } from '../src/explain/causes'

/** The cause kinds that name the change, for labels that specify it. */
const KINDS: Readonly<Record<string, readonly CauseKind[]>> = {
  slice: ['inserted-node'],
  extra_op: ['inserted-node'],
  op_between: ['inserted-node'],
  extra_permute: ['inserted-node'],
  extra_cast: ['inserted-node'],
  overload: ['wrong-overload'],
  overload_swap: ['wrong-overload'],
  getitem_index: ['getitem-index'],
  kwarg_order: ['kwarg-order'],
  extra_check: ['extra-check'],
  extra_check_raises: ['extra-check'],
  duplicate: ['duplicate-pattern'],
  empty_dtype: ['constant', 'example-inputs'],
  float_constant: ['constant'],
  int_constant: ['constant'],
  int_vs_float: ['constant'],
  bool_vs_int: ['constant'],
  tensor_constant: ['constant'],
  burned_shape: ['constant', 'symbolic-shape'],
  constant: ['constant'],
  const_type: ['constant'],
  none_vs_tensor: ['constant'],
  dynamic: ['symbolic-shape'],
  dynamic_dim0: ['symbolic-shape'],
  input_dtype: ['example-inputs'],
  dtype: ['example-inputs', 'constant'],
  rank: ['example-inputs'],
  output_missing: ['output-unused'],
  pattern_needs_two_outputs: ['output-unused'],
  functionalization_version: ['functionalization'],
  exclusive: ['exclusive-argument'],
  stream: ['stream-barrier'],
  mempool: ['stream-barrier'],
  mutation_region: ['mutation-barrier'],
  op: ['wrong-operator'],
  op_swap: ['wrong-operator'],
  operand_order: ['operand-order'],
  extra_user: ['escaping-intermediate'],
  extra_user_output: ['escaping-intermediate'],
  reduce_keepdim: ['arity', 'constant'],
  extra_reshape: ['inserted-node'],
  extra_clone: ['inserted-node'],
  softcap: ['inserted-node'],
  extra_in_pattern: ['missing-node'],
  missing_operand: ['missing-node'],
  bool_constant: ['constant', 'arity'],
  str_constant: ['constant'],
  not_registered: ['not-registered'],
  same_input: ['repeated-argument'],
  unused_argument: ['unused-argument'],
  arity: ['arity'],
  default_dropped: ['arity'],
  root_absent: ['root-absent', 'missing-node'],
  literal_view: ['retrace-error', 'constant', 'wrong-operator'],
  addmm: ['decomposed'],
  sdpa: ['decomposed'],
  unsqueeze: ['arity', 'inserted-node'],
}

interface LabeledCase extends CaseInput {
  perturbation?: string[]
  expected: { passes?: { count?: number }[] }
}

export interface Judged {
  id: string
  labels: readonly string[]
  first: Cause | null
  named: boolean
  /** An unchanged copy does not fire either: its cause affects all copies and is not the labeled change. */
  unchangedFails: boolean
  explanation: CaseExplanation
}

/** The first cause of the first diagnosis. */
export const firstCause = (e: CaseExplanation): Cause | null =>
  e.causes[0] ?? e.passes.flatMap((p) => p.nearMisses)[0]?.causes?.[0] ?? e.passes.flatMap((p) => p.causes)[0] ?? null

/** The labeled cases of a file with a copy that does not fire. */
export function* judge(interpreter: Interpreter, file: string): Generator<Judged> {
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (!line.trim()) continue
    const c = JSON.parse(line) as LabeledCase
    const copies = c.perturbation ?? []
    const labels = copies.filter((l) => KINDS[l])
    const fired = (c.expected.passes ?? []).reduce((s, p) => s + (p.count ?? 0), 0)
    if (labels.length === 0 || fired >= copies.length) continue
    const explanation = explainCase(interpreter, c)
    const first = firstCause(explanation)
    yield {
      id: c.id,
      labels: copies,
      first,
      named: first !== null && labels.some((l) => KINDS[l]!.includes(first.kind)),
      unchangedFails: copies.filter((l) => l === 'exact').length > fired,
      explanation,
    }
  }
}
