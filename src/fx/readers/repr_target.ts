/** Targets as `str(node.target)` shows them in tables and drawings: `<built-in function add>`, `aten.add.Tensor`. */
import { targetFromText } from '../target'

/** Functions of torch._C._nn that torch.nn.functional exposes under the same name. */
const IN_NN = new Set(
  'linear gelu scaled_dot_product_attention softplus softshrink logsigmoid avg_pool2d avg_pool3d pad unfold one_hot'.split(
    ' ',
  ),
)
/** Functions of torch.nn.functional written in Python. */
const IN_FUNCTIONAL = new Set(
  (
    'relu relu6 silu mish elu selu celu leaky_relu hardtanh hardswish hardsigmoid softmax log_softmax gumbel_softmax ' +
    'layer_norm rms_norm group_norm batch_norm instance_norm dropout embedding embedding_bag cross_entropy nll_loss ' +
    'mse_loss l1_loss normalize interpolate max_pool2d max_pool1d adaptive_avg_pool2d multi_head_attention_forward glu'
  ).split(' '),
)
const BUILTINS = new Set('getattr setattr len max min abs round sum pow divmod isinstance any all sorted'.split(' '))
/** Higher-order operators in FX graphs; str() shows only their name. */
const HIGHER_ORDER = new Set(
  (
    'cond while_loop scan associative_scan map_impl auto_functionalized auto_functionalized_v2 with_effects ' +
    'triton_kernel_wrapper_mutation triton_kernel_wrapper_functional flex_attention flex_attention_backward ' +
    'invoke_subgraph wrap_with_set_grad_enabled wrap_with_autocast tag_activation_checkpoint wrap ' +
    'executorch_call_delegate run_and_save_rng_state run_with_rng_state out_dtype hints_wrapper strict_mode'
  ).split(' '),
)

/** A call_function's target; null where the text names none. */
export function targetFromRepr(text: string): string | null {
  const builtin = /^<built-in function (\w+)>$/.exec(text)?.[1]
  if (builtin) {
    if (IN_NN.has(builtin)) return `torch._C._nn.${builtin}`
    return BUILTINS.has(builtin) ? `builtins.${builtin}` : `operator.${builtin}`
  }
  const method = /^<built-in method (\w+) of type object\b/.exec(text)?.[1]
  if (method) return `torch.${method}`
  const python = /^<function ([\w.<>]+) at 0x[\da-f]+>$/.exec(text)?.[1]
  if (python) return IN_FUNCTIONAL.has(python) ? `torch.nn.functional.${python}` : `python:${python}`
  const overload = /^<OpOverload\(op='(\w+)[.:]+(\w+)', overload='(\w+)'\)>$/.exec(text)
  if (overload) return `${overload[1]}.${overload[2]}.${overload[3]}`
  if (HIGHER_ORDER.has(text)) return `higher_order.${text}`
  if (text.startsWith('_operator.')) return text.slice(1)
  if (/^[A-Za-z_]\w*\.\w+\.\w+$/.test(text) && !/^(?:torch|operator|math|builtins)\./.test(text)) return text
  return /^[A-Za-z_][\w.]*$/.test(text) ? targetFromText(text) : null
}
