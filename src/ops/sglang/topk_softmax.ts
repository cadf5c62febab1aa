/** The router of a mixture of experts: selects the experts of each token and their weights. */
import { type Kernel, type KernelCall, KernelRefusal, tensorArg } from '../kernel'
import { eachKernel } from '../kernels/each'
import { inNamespace, type Kernels } from '../operator'

/** WGSL for the maximum `top` and the sum of exponentials `sum` of `x(e)`, e below `experts`. */
export const softmaxTerms = (x: (e: string) => string, experts: string): string => `  var top = ${x('0u')};
  for (var e = 1u; e < ${experts}; e++) { top = max(top, ${x('e')}); }
  var sum = 0.0;
  for (var e = 0u; e < ${experts}; e++) { sum += exp(${x('e')} - top); }`

/** WGSL that finds the expert after (`last`, `lastAt`) in the order of the choices: by value, then by index. */
export const nextChoice = (x: (e: string) => string, experts: string): string => `    var best = 0.0;
    var at = ${experts};
    for (var e = 0u; e < ${experts}; e++) {
      let v = ${x('e')};
      let after = j == 0u || v < last || (v == last && e > lastAt);
      if (after && (at == ${experts} || v > best)) { best = v; at = e; }
    }
    last = best;
    lastAt = at;`

/** The softmax of one row, and its `choices` largest values by index. */
export function chosenOf(x: readonly number[], choices: number): { expert: number; weight: number }[] {
  const top = Math.max(...x)
  const sum = x.reduce((all, v) => all + Math.exp(v - top), 0)
  return x
    .map((v, expert) => ({ expert, v, weight: Math.exp(v - top) / sum }))
    .sort((a, b) => b.v - a.v || a.expert - b.expert)
    .slice(0, choices)
}

function sizesOf(call: KernelCall): { tokens: number; experts: number; choices: number } {
  const { shape } = tensorArg(call, 'gating_output')
  const given = call.attrs['topk_weights']
  if (shape.length !== 2)
    throw new KernelRefusal(`\`gating_output\` must be [tokens, experts], found [${shape.join(', ')}]`)
  if (!Array.isArray(given) || given.length !== 2)
    throw new KernelRefusal(
      'the shape of `topk_weights`, [tokens, choices], determines the number of experts per token and is required',
    )
  const [tokens, experts, choices] = [shape[0]!, shape[1]!, Number(given[1])]
  if (choices > experts) throw new KernelRefusal(`a token cannot choose ${choices} of ${experts} experts`)
  return { tokens, experts, choices }
}

/**
 * p = softmax(gating_output) in float32; topk_weights [tokens, choices] the largest of a row in order, of equals the
 * first, and topk_indices where they stand; with `renormalize` divided by their sum. token_expert_indices (vLLM only)
 * is choice * tokens + token. vLLM csrc/moe/topk_softmax_kernels.cu, `topkGatingSoftmax`; sgl-kernel's is the same.
 */
export const topkSoftmax: Kernel = {
  ...eachKernel({
    name: 'topk_softmax',
    params: [
      { name: 'topk_weights', kind: 'out', sized: true, aliases: ['topk_weight'], dtype: 'float32' },
      { name: 'topk_indices', kind: 'out', aliases: ['topk_ids'], dtype: 'int32' },
      { name: 'token_expert_indices', kind: 'out', optional: true, dtype: 'int32' },
      { name: 'gating_output', kind: 'in', rows: true },
      { name: 'renormalize', kind: 'attr', default: false },
      { name: 'moe_softcapping', kind: 'attr', default: 0 },
      { name: 'bias', kind: 'in', optional: true, aliases: ['correction_bias'] },
    ],
    outputs(call) {
      const { tokens, choices } = sizesOf(call)
      if (call.tensors['bias']) throw new KernelRefusal('a bias of the choice is not handled')
      if (Number(call.attrs['moe_softcapping']) !== 0) throw new KernelRefusal('a moe_softcapping is not handled')
      const spec = { shape: [tokens, choices], dtype: null }
      return {
        topk_weights: spec,
        topk_indices: spec,
        ...(call.attrs['token_expert_indices'] === true && { token_expert_indices: spec }),
      }
    },
    js(call, read) {
      const { tokens, experts, choices } = sizesOf(call)
      const x = read('gating_output')
      return ([token, choice]) => {
        const chosen = chosenOf(
          Array.from({ length: experts }, (_, e) => x(token!, e)),
          choices,
        )
        const { expert, weight } = chosen[choice!]!
        const sum = chosen.reduce((all, c) => all + c.weight, 0)
        const row = choice! * tokens + token!
        const outputs = [call.attrs['renormalize'] === true ? weight / sum : weight, expert, row]
        return call.attrs['token_expert_indices'] === true ? outputs : outputs.slice(0, 2)
      }
    },
    wgsl(call, at, n) {
      const { tokens, experts, choices } = sizesOf(call)
      const x = (e: string): string => at('gating_output', ['i0', e])
      const count = n('experts', experts)
      return `${softmaxTerms(x, count)}
  var last = 0.0;
  var lastAt = 0u;
  var total = 0.0;
  var v_topk_weights = 0.0;
  var v_topk_indices = 0.0;
  let v_token_expert_indices = f32(i1 * ${n('tokens', tokens)} + i0);
  for (var j = 0u; j < ${n('choices', choices)}; j++) {
${nextChoice(x, count)}
    let weight = exp(last - top) / sum;
    total += weight;
    if (j == i1) { v_topk_weights = weight; v_topk_indices = f32(at); }
  }
  ${call.attrs['renormalize'] === true ? 'v_topk_weights /= total;' : ''}`
    },
  }),
  functional: false,
}

export const KERNELS: Kernels = inNamespace('sglang', [topkSoftmax])

export const SCHEMAS = `# SGLang sgl-kernel/csrc/common_extension.cc
2025-10..2026-06 sgl_kernel::topk_softmax(Tensor! topk_weights, Tensor! topk_indices, Tensor gating_output, bool renormalize, float moe_softcapping, Tensor? correction_bias) -> ()
2025-07..2025-10 sgl_kernel::topk_softmax(Tensor! topk_weights, Tensor! topk_indices, Tensor gating_output, bool renormalize) -> ()
2025-05..2025-06 sgl_kernel::topk_softmax(Tensor! topk_weights, Tensor! topk_indices, Tensor! token_expert_indices, Tensor gating_output) -> ()`
