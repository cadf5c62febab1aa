/**
 * How often the first cause of the first explanation is what a recording's `perturbation` label says, over the
 * labelled cases that do not fire. Prints those that differ, the share, and the confusion table.
 *   npx tsx conformance/explain.ts FILE.jsonl…
 */
import { readFileSync } from 'node:fs'
import { CaseRunner, type CaseInput } from '../src/engine/cases'
import { nodeAssets } from '../src/python/node_assets'
const MAP: Record<string, string[]> = {
  slice: ['inserted-node'],
  extra_permute: ['inserted-node'],
  extra_cast: ['inserted-node'],
  overload: ['wrong-overload'],
  overload_swap: ['wrong-overload'],
  getitem_index: ['getitem-index'],
  kwarg_order: ['kwarg-order'],
  extra_check: ['extra-check'],
  extra_check_raises: ['extra-check'],
  duplicate: ['duplicate-pattern'],
  empty_dtype: ['constant'],
  float_constant: ['constant'],
  int_constant: ['constant'],
  bool_vs_int: ['constant'],
  tensor_constant: ['constant'],
  burned_shape: ['constant', 'symbolic-shape'],
  constant: ['constant'],
  const_type: ['constant'],
  none_vs_tensor: ['constant'],
  dynamic: ['symbolic-shape'],
  output_missing: ['output-unused'],
  functionalization_version: ['functionalization'],
  exclusive: ['exclusive-argument'],
  stream: ['stream-barrier'],
  mutation_region: ['mutation-barrier'],
  op_swap: ['wrong-operator'],
  operand_order: ['operand-order'],
  extra_user: ['escaping-intermediate'],
  extra_user_output: ['escaping-intermediate'],
  reduce_keepdim: ['arity', 'constant'],
}
const runner = await CaseRunner.create(nodeAssets())
const confusion = new Map<string, number>()
for (const f of process.argv.slice(2)) {
  let n = 0,
    ok = 0
  for (const line of readFileSync(f, 'utf8').split('\n')) {
    if (!line.trim()) continue
    const d = JSON.parse(line) as CaseInput & {
      perturbation?: string[]
      expected: { register_error?: string; passes?: { count?: number }[] }
    }
    const labels = (d.perturbation ?? []).filter((p) => MAP[p])
    const fired = (d.expected.passes ?? []).reduce((s, p) => s + (p.count ?? 0), 0)
    if (labels.length === 0 || fired >= d.perturbation!.length) continue
    n++
    let first = 'none',
      text = ''
    const all: string[] = []
    try {
      const e = runner.explain(d)
      const misses = e.passes.flatMap((p) => p.nearMisses)
      const c = e.causes[0] ?? misses[0]?.causes?.[0] ?? e.passes.flatMap((p) => p.causes)[0]
      if (c) {
        first = c.kind
        text = c.sentence
      }
      for (const m of misses)
        all.push(`${m.score}/${m.of} x${m.count} ${m.anchors[0]}: ` + (m.causes ?? []).map((x) => x.kind).join(','))
      for (const p of e.passes) for (const x of p.causes) all.push('pass: ' + x.kind)
    } catch (e) {
      text = (e as Error).stack!.split('\n').slice(0, 4).join('|')
    }
    const good = labels.some((l) => MAP[l]!.includes(first))
    if (good) ok++
    else
      console.log(
        `${d.id} ${fired} [${d.perturbation}] -> ${first}: ${text.slice(0, 220)}\n      ${all.slice(0, 4).join(' || ')}`,
      )
    const key = `${labels[0]} -> ${first}`
    confusion.set(key, (confusion.get(key) ?? 0) + 1)
  }
  console.log(`${f}: ${ok}/${n}`)
}
console.log(
  [...confusion]
    .sort()
    .map(([k, v]) => `${k}: ${v}`)
    .join('\n'),
)
