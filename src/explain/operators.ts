/** What the explanations know of operators by name: which do nothing to values, which make tensors, what decomposes into what. */
import { isOverload, type Node } from '../fx'

/** The operator an auto_functionalized node wraps (its first argument), or null. */
export function wrappedOperator(node: Node): string | null {
  if (!isFunctionalized(node)) return null
  const first = node.args[0]
  return typeof first === 'object' && first !== null && 'kind' in first && first.kind === 'op' ? first.name : null
}

export const isFunctionalized = (node: Node): boolean => node.target.startsWith('higher_order.auto_functionalized')
export const isGetitem = (node: Node): boolean => node.target.endsWith('operator.getitem')

/** The operator a node runs: the wrapped one where auto_functionalized wraps one. */
export const operatorOf = (node: Node): string => wrappedOperator(node) ?? node.target

const packets = new Map<string, string>()

/** `aten.add.Tensor` → `aten.add`; other targets as they are. Kept: it is asked for each pair of nodes. */
export function packetOf(target: string): string {
  let packet = packets.get(target)
  if (packet === undefined) {
    packet = isOverload(target) ? target.slice(0, target.lastIndexOf('.')) : target.replace(/^_operator\./, 'operator.')
    packets.set(target, packet)
  }
  return packet
}

/** Nodes of one key run the same operator, whatever the overload and whichever auto_functionalized wraps it. */
export const keyOf = (node: Node): string => (node.op === 'get_attr' ? 'get_attr' : packetOf(operatorOf(node)))

/** Operators that people insert without a thought: the values pass through, moved, cast or gathered. */
const PASS_THROUGH = new Set(
  (
    'aten.view aten.reshape aten._unsafe_view aten._reshape_alias aten.permute aten.transpose aten.t aten.slice ' +
    'aten.select aten.squeeze aten.unsqueeze aten.expand aten.clone aten.copy aten.copy_ aten.contiguous aten.alias ' +
    'aten.detach aten._to_copy aten.to aten.lift_fresh_copy aten.as_strided aten.dropout aten.native_dropout ' +
    'prims.convert_element_type prims.device_put inductor.convert_element_type ' +
    '_c10d_functional.all_gather_into_tensor _c10d_functional.all_reduce _c10d_functional.reduce_scatter_tensor ' +
    '_c10d_functional.wait_tensor vllm.all_gather vllm.all_reduce vllm.reduce_scatter operator.getitem'
  ).split(' '),
)
export const passesThrough = (node: Node): boolean => PASS_THROUGH.has(packetOf(node.target))

/** A step of a softcap: tanh, or a product or quotient with a number. */
export const isScaling = (node: Node): boolean =>
  packetOf(node.target) === 'aten.tanh' || (/^aten\.(mul|div)\./.test(node.target) && typeof node.args[1] === 'number')

const FACTORIES = new Set(
  'empty empty_like empty_strided empty_permuted new_empty new_empty_strided zeros zeros_like new_zeros ones ones_like new_ones full full_like new_full rand rand_like randn randn_like'
    .split(' ')
    .map((n) => `aten.${n}`),
)
export const isFactory = (node: Node): boolean => FACTORIES.has(packetOf(node.target))

export const isNative = (target: string): boolean => /^(aten|prims|operator|_operator|inductor)\./.test(target)
export const isSymSize = (node: Node): boolean => /^aten\.sym_(size|stride|numel|storage_offset)\b/.test(node.target)

/** Operators whose names hold the word decompose into these, each of which must be there for the claim. */
const FINGERPRINTS: readonly (readonly [RegExp, readonly RegExp[]])[] = [
  [/rms_?norm/i, [/\bpow$|\bsquare$|\bmul$/, /\bmean$/, /\brsqrt$/]],
  [/layer_?norm/i, [/\bvar_mean$|\bvar$|\bmean$/, /\brsqrt$|\bsqrt$/]],
  [/silu|swiglu/i, [/\bsigmoid$|\bsilu$|\bexp$/, /\bmul$|\bdiv$/]],
  [/gelu/i, [/\berf$|\btanh$|\bgelu$/, /\bmul$/]],
  [/quant/i, [/\bdiv$|\bmul$|\breciprocal$/, /\bclamp(_min|_max)?$|\bconvert_element_type$|\bround$/]],
  [/rotary|rope/i, [/\bneg$|\bsub$/, /\bcat$|\bmul$/, /\bmul$/]],
  [/softmax/i, [/\bexp$/, /\bsum$/, /\bdiv$/]],
  [/attention|sdpa/i, [/\bbmm$|\bmatmul$|\bmm$/, /\bsoftmax$|\bexp$/]],
]

/** The nodes among `cone` that a custom operator of this name decomposes into, or null when they are not all there. */
export function decompositionIn(operator: string, cone: readonly Node[]): Node[] | null {
  const name = packetOf(operator).split('.').at(-1)!
  for (const [words, parts] of FINGERPRINTS) {
    if (!words.test(name)) continue
    const found = parts.map((part) => cone.find((n) => isNative(n.target) && part.test(packetOf(n.target))))
    if (found.every((n) => n !== undefined)) return [...new Set(found as Node[])]
  }
  return null
}

/** `a`, `a and b`, `a, b and c`; long lists say how many more. */
export function listed(names: readonly string[], most = 4): string {
  const shown = names.length > most ? [...names.slice(0, most - 1), `${names.length - most + 1} more`] : [...names]
  const last = shown.pop()!
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`
}
