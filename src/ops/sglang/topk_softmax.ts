/** The router of a mixture of experts: selects the experts of each token and their weights. */
import { type Expr, Fold, fold, load, number, type Operand, type Store, sum, where, whole } from '../expr/expr'
import { exp, larger } from '../expr/functions'
import { programKernel } from '../expr/program'
import { type Kernel, type KernelCall, KernelRefusal, tensorArg } from '../kernel'
import { inNamespace, type Kernels } from '../operator'

/** The expert after (`last`, `lastAt`) in the order of choices: by value, then by index. */
function nextChoice(x: (e: Expr) => Expr, experts: number, j: Expr, last: Expr, lastAt: Expr): Expr[] {
  return fold(experts, [number(0), whole(experts)], (e, [best, at]) => {
    const after = j
      .eq(0)
      .or(x(e).lt(last))
      .or(x(e).eq(last).and(e.gt(lastAt)))
    const taken = after.and(at!.eq(experts).or(x(e).gt(best!)))
    return [where(taken, x(e), best!), where(taken, e, at!)]
  })
}

/**
 * Visits the experts of the largest values of a row: `each` stores choice j, its expert and its softmax. The last state
 * is the sum of the chosen softmaxes.
 */
export function router(
  x: (e: Operand) => Expr,
  experts: number,
  choices: number,
): (each: (j: Expr, expert: Expr, weight: Expr) => readonly Store[]) => Fold {
  const [top] = fold(experts, [x(0)], (e, [t]) => [larger(t!, x(e))])
  const total = sum(experts, (e) => exp(x(e).minus(top!)))
  return (each) =>
    new Fold(whole(choices), [number(0), whole(0), number(0)], (j, [last, lastAt, chosen]) => {
      const [best, at] = nextChoice(x, experts, j, last!, lastAt!)
      const weight = exp(best!.minus(top!)).over(total)
      return { next: [best!, at!, chosen!.plus(weight)], stores: each(j, at!, weight) }
    })
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
export const topkSoftmax: Kernel = programKernel({
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
  programs(call) {
    const { tokens, experts, choices } = sizesOf(call)
    const body = ([token]: readonly Expr[]): Fold[] => {
      const visit = router((e) => load('gating_output', token!, e), experts, choices)
      const divisor = call.attrs['renormalize'] === true ? visit(() => []).result(2) : null
      return [
        visit((j, expert, weight) => {
          const at = [token!, j]
          return [
            { out: 'topk_weights', at, value: divisor ? weight.over(divisor) : weight },
            { out: 'topk_indices', at, value: expert },
            ...(call.attrs['token_expert_indices'] === true
              ? [{ out: 'token_expert_indices', at, value: j.times(tokens).plus(token!) }]
              : []),
          ]
        }),
      ]
    }
    return [{ over: [tokens], body }]
  },
})

export const KERNELS: Kernels = inNamespace('sglang', [topkSoftmax])

export const SCHEMAS = `# SGLang sgl-kernel/csrc/common_extension.cc
2025-10..2026-06 sgl_kernel::topk_softmax(Tensor! topk_weights, Tensor! topk_indices, Tensor gating_output, bool renormalize, float moe_softcapping, Tensor? correction_bias) -> ()
2025-07..2025-10 sgl_kernel::topk_softmax(Tensor! topk_weights, Tensor! topk_indices, Tensor gating_output, bool renormalize) -> ()
2025-05..2025-06 sgl_kernel::topk_softmax(Tensor! topk_weights, Tensor! topk_indices, Tensor! token_expert_indices, Tensor gating_output) -> ()`
