/** SGLang's attention: vLLM's operator under another name. */
import { inNamespace, type Kernels } from '../operator'
import { unifiedAttentionWithOutput } from '../vllm/attention'

export const KERNELS: Kernels = inNamespace('sglang', [
  { ...unifiedAttentionWithOutput, name: 'attention_with_output' },
])
