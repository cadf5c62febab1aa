/**
 * Tells which texts of a graph may be passed to an operator that is known only by name: texts that refer to nothing outside the
 * call. Such an operator may use a text as a file, a module, an address or a command, and `conftest.py` and `makefile` need no
 * slash.
 */

/** Names of modes, reductions, activations and sides that tensor operators take; none is a file that a tool looks for by name. */
const WORDS =
  `amax amin area auto avg bicubic bilinear border circular constant default div erf exact fro full geglu gelu gelu_tanh gelu_new half hard
  hardsigmoid hardswish identity ij inner interleaved left leaky_relu linear lower max mean min mish mul multiply nearest nearest-exact neox
  none norm nuc ortho outer per_block per_channel per_group per_tensor per_token pertoken prod quick_gelu reduced reflect relu relu2 relu6
  replicate reflection right rint round same selu sigmoid silu softmax softplus sum swiglu swish tanh trilinear upper valid xy zeros floor
  trunc ceil forward backward e4m3 e5m2 mxfp4 mxfp8 nvfp4`
    .split(/\s+/)
    .join('|')

const SAFE = [
  `(?:${WORDS})?`,
  // float8_e4m3fn, torch.bfloat16, fp8
  `(?:torch\\.)?(?:b?float|bfloat|u?int|complex|[bf]p|bf|f|i|u)\\d{1,3}(?:_e\\d+m\\d+\\w{0,5})?|(?:torch\\.)?(?:bool|double|half|long)`,
  // cuda:0, tp:0, a rank
  `(?:(?:cpu|cuda|npu|xpu|hpu|mps|meta|world|tp|dp|pp|ep|cp|dcp|pcp|sp)(?::\\d{1,3})?|\\d{1,4})`,
  // BSND
  `[BCDHKNQSTVW]{2,6}`,
].map((form) => new RegExp(`^(?:${form})$`))

/**
 * `ij,jk->ik`, `b s (h d) -> b h s d`: words of letters without blanks, or single letters, so that they cannot contain a shell
 * command.
 */
function isEquation(text: string): boolean {
  const sides = text.split('->')
  const axis = /[ ()]/.test(text) ? /^(?:[A-Za-z]\d?|1|\.{3})?$/ : /^(?:\.{3})?[A-Za-z]{0,12}(?:\.{3})?$/
  return sides.length === 2 && sides.every((side) => side.split(/[ (),]+/).every((name) => axis.test(name)))
}

export const namesNothing = (text: string): boolean =>
  text.length <= 100 && (SAFE.some((form) => form.test(text)) || isEquation(text))
