/** Names for subgraphs by the operators in them. */
import type { Node } from '../graph/node'
import type { Structure } from './order'

const ATTENTION = /attention|softmax|sdpa/i
const PRODUCT = /(?:^|[._ ])(?:mm|addmm|linear|matmul|\w*_mm)(?:\.|$)/
const BATCHED = /(?:^|[._])(?:bmm|matmul|baddbmm)(?:\.|$)/
const EXPONENT = /(?:^|[._])exp(?:\.|$)/
const CONVOLUTION = /conv(?:olution|\d|_)/i
const EXPERTS = /grouped_mm|experts|topk|moe/i
/** Products of an attention: three inputs and the output, or two with fused inputs. */
const ATTENTION_PRODUCTS = 4

/** `layer`, `attention`, `MLP`, `experts`, `convolution`, or `block`. */
export function labelOf({ nodes }: Structure, members: Int32Array): string {
  const count = { attention: 0, products: 0, batched: 0, exponents: 0, convolutions: 0, experts: 0 }
  for (const p of members) {
    const text = calledBy(nodes[p]!)
    if (ATTENTION.test(text)) count.attention++
    if (EXPERTS.test(text)) count.experts++
    if (CONVOLUTION.test(text)) count.convolutions++
    if (EXPONENT.test(text)) count.exponents++
    if (BATCHED.test(text)) count.batched++
    else if (PRODUCT.test(text)) count.products++
  }
  if (count.attention > 0 || (count.batched >= 2 && count.exponents > 0))
    return count.products > ATTENTION_PRODUCTS || count.experts > 0 ? 'layer' : 'attention'
  if (count.experts > 0) return 'experts'
  if (count.products >= 2) return 'MLP'
  return count.convolutions > 0 ? 'convolution' : 'block'
}

/** The operator that a call runs; for auto_functionalized, the functionalized one. */
function calledBy({ op, target, args: [first] }: Node): string {
  if (op !== 'call_function' && op !== 'call_method' && op !== 'call_module') return ''
  return typeof first === 'object' && first !== null && 'kind' in first && first.kind === 'op' ? first.name : target
}
