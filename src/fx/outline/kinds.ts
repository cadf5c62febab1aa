/** Names subgraphs by their operators and by the order in which values pass them. */
import { operatorBehind } from '../dialect'
import { isKind } from '../value'
import type { Node } from '../graph/node'
import type { Structure } from './order'

const ATTENTION = /attention|sdpa/i
const SOFTMAX = /softmax/
const PRODUCT = /(?:^|[._ ])(?:mm|addmm|linear|\w*_mm)(?:\.|$)/
/** Products of two computed values: no weight is among their inputs. */
const BATCHED = /(?:^|[._])(?:bmm|matmul|baddbmm|einsum)(?:\.|$)/
const ACTIVATION = /gelu|silu|relu|elu|glu|sigmoid|tanh|erf|swish|mish|softplus|(?:^|[._])exp(?:\.|$)/
const CONVOLUTION = /conv(?:olution|\d|_)/i
const EXPERTS = /grouped_mm|experts|topk|moe/i

/** Flags for the operators that a value has passed. */
const WEIGHT = 1
const PASSED_PRODUCT = 2
const PASSED_ACTIVATION = 4
const PASSED_SCORES = 8
const PASSED_ATTENTION = 16
/** PASSED_PRODUCT and PASSED_ACTIVATION after an attention. */
const BEHIND_PRODUCT = 32
const BEHIND_ACTIVATION = 64
/** Attention scores: a product of two computed values. Backward graphs are excluded, because saved values are their inputs. */
const PASSED_SOFTMAX = 128

/** `layer`, `attention`, `MLP`, `experts`, `convolution`, or `block`. */
export function labelOf({ nodes, slots }: Structure, members: Int32Array): string {
  const passed = new Map<number, number>()
  const found = { attention: false, mlp: false, both: false, experts: false, convolutions: 0, products: 0 }
  for (const p of members) {
    const text = calledBy(nodes[p]!)
    let [all, some, weights] = [WEIGHT, 0, 0]
    for (const input of slots.of(p)) {
      const own = passed.get(input) ?? 0
      some |= own & ~WEIGHT
      all &= own
      if (own & WEIGHT) weights++
    }
    if (slots.count(p) === 0 || all) {
      passed.set(p, WEIGHT)
      continue
    }
    const batched = BATCHED.test(text)
    if (EXPERTS.test(text)) found.experts = true
    if (CONVOLUTION.test(text)) found.convolutions++
    const scores = some & PASSED_SCORES ? weights === 0 : some & PASSED_SOFTMAX && !found.experts
    if (ATTENTION.test(text) || (batched && scores)) {
      found.attention = true
      some = PASSED_ATTENTION
    } else if (batched && weights === 0) some |= PASSED_SCORES
    else if (batched || PRODUCT.test(text)) {
      found.products++
      if (some & PASSED_PRODUCT) found.mlp = true
      // A gate on the attention's result is not an MLP.
      if (some & (some & PASSED_ATTENTION ? BEHIND_ACTIVATION : PASSED_ACTIVATION)) found.both = true
      some |= PASSED_PRODUCT | (some & PASSED_ATTENTION ? BEHIND_PRODUCT : 0)
    }
    if (ACTIVATION.test(text)) {
      if (some & PASSED_PRODUCT) some |= PASSED_ACTIVATION
      if (some & BEHIND_PRODUCT) some |= BEHIND_ACTIVATION
    }
    if (SOFTMAX.test(text)) some |= PASSED_SOFTMAX
    passed.set(p, some)
  }
  return nameOf(found)
}

function nameOf(
  found: Record<'attention' | 'mlp' | 'both' | 'experts', boolean> & Record<'convolutions' | 'products', number>,
): string {
  if (found.attention) return found.both || found.experts ? 'layer' : 'attention'
  if (found.experts) return 'experts'
  if (found.convolutions > 0) return found.convolutions >= found.products ? 'convolution' : 'block'
  return found.mlp ? 'MLP' : 'block'
}

/** The operator that a call runs; for auto_functionalized, the functionalized one. */
export function calledBy({ op, target, args: [first] }: Node): string {
  if (op !== 'call_function' && op !== 'call_method' && op !== 'call_module') return ''
  return isKind(first, 'op') ? first.name : operatorBehind(target)
}
