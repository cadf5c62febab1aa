/** Explains an exception of a registration where PyTorch's own text does not name its cause. */

/** `return (None, getitem_1)` of the traced search function. */
const RETURNED = /While executing return \(([^)]*)\)/

/** The exception in the words of the pattern; null where its own text is the best there is. */
export function raisedText(error: string): string | null {
  if (!error.startsWith("AttributeError: 'NoneType' object has no attribute 'users'")) return null
  const outputs = RETURNED.exec(error)?.[1]?.split(', ') ?? []
  const at = outputs.indexOf('None')
  return at < 0
    ? null
    : `output ${at} of the search function is None (an operator that returns nothing gives None as item 0 of auto_functionalized), and the matcher needs a tensor there: return only the items that hold tensors`
}
