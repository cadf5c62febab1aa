/** Shapes and dtypes of results in words, as the editor shows them. */
export const BROADCAST = 'The result has the broadcast shape of the tensors and their promoted dtype.'
export const COMPARED = 'The result has the broadcast shape of the tensors; its dtype is bool.'
export const TESTED = 'The result has the shape of the input; its dtype is bool.'
export const SAME =
  'The result has the shape and the dtype of the input; an integer input gives the default float dtype.'
export const UNCHANGED = 'The result has the shape and the dtype of the input.'
export const REDUCED =
  'The dimensions in dim are removed, or have size 1 with keepdim=True; without dim, all are reduced.'
