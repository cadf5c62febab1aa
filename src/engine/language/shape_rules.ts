/** Shape rules of common operators in words, by packet. */
const BROADCAST = 'The result has the broadcast shape of the tensors and their promoted dtype.'
const COMPARED = 'The result has the broadcast shape of the tensors; its dtype is bool.'
const SAME = 'The result has the shape and the dtype of the input; an integer input gives the default float dtype.'
const UNCHANGED = 'The result has the shape and the dtype of the input.'
const REDUCED = 'The dimensions in dim are removed, or have size 1 with keepdim=True; without dim, all are reduced.'

const of = (names: string, rule: string): Record<string, string> =>
  Object.fromEntries(names.split(' ').map((n) => [`aten.${n}`, rule]))

export const SHAPE_RULES: Readonly<Record<string, string>> = {
  ...of('add sub mul div pow maximum minimum fmod remainder where atan2 bitwise_and bitwise_or', BROADCAST),
  ...of('eq ne lt le gt ge logical_and logical_or logical_xor', COMPARED),
  ...of('exp log sqrt rsqrt sin cos tanh sigmoid erf reciprocal', SAME),
  ...of('relu neg abs clamp clamp_min clamp_max silu gelu clone contiguous softmax _softmax', UNCHANGED),
  ...of('sum mean amax amin prod var any all norm', REDUCED),
  ...of('argmax argmin', `${REDUCED} The dtype is int64.`),
  ...of('mm', '[n, k] and [k, m] give [n, m].'),
  ...of('bmm', '[b, n, k] and [b, k, m] give [b, n, m].'),
  ...of('addmm', '[n, k] and [k, m] give [n, m]; self broadcasts to it.'),
  ...of('baddbmm', '[b, n, k] and [b, k, m] give [b, n, m]; self broadcasts to it.'),
  ...of('mv', '[n, k] and [k] give [n].'),
  ...of('linear', '[…, in] with a weight [out, in] gives […, out].'),
  ...of(
    'matmul',
    '[…, n, k] and […, k, m] give […, n, m]; leading dimensions broadcast, and a vector loses its dimension.',
  ),
  ...of('view reshape _unsafe_view', 'The result has the given size with as many elements; one size may be -1.'),
  ...of('permute', 'Dimension i of the result is dimension dims[i] of the input.'),
  ...of('transpose', 'The dimensions dim0 and dim1 change places.'),
  ...of('t', '[n, m] gives [m, n].'),
  ...of('unsqueeze', 'A dimension of size 1 is inserted at dim.'),
  ...of('squeeze', 'Dimensions of size 1 are removed: those in dim, or all.'),
  ...of('expand', 'Dimensions of size 1 get the given size without a copy; -1 keeps a size.'),
  ...of('slice', 'Dimension dim has the size ceil((end - start) / step); the others keep theirs.'),
  ...of('select', 'Dimension dim is removed.'),
  ...of('cat', 'Dimension dim has the sum of the sizes; the others must be equal.'),
  ...of('stack', 'A new dimension dim has the number of tensors as its size.'),
  ...of('split split_with_sizes chunk', 'A list of tensors, whose sizes in dim add up to the input’s.'),
  ...of('embedding', 'The shape of indices with the width of weight appended.'),
  ...of(
    'native_layer_norm',
    'Three results: the normalized input, and mean and rstd with size 1 in the normalized dimensions.',
  ),
  ...of('_to_copy', 'The shape of the input, in the given dtype and on the given device.'),
  ...of('full empty zeros ones rand randn', 'The given size, in the given dtype or the default one.'),
  ...of('topk', 'Values and int64 indices, with k in dimension dim.'),
  ...of('index_select', 'Dimension dim has the length of index.'),
  ...of('gather', 'The result has the shape of index.'),
  ...of('copy_', 'Returns self, with the broadcast values of src.'),
  ...of('scaled_dot_product_attention', '[…, L, E], […, S, E] and […, S, V] give […, L, V].'),
}
