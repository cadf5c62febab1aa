/** The text of an edit by user code. */
import type { StageEdit } from './types'

/** `rms.py:14 erase_node add_3: aten.add.Tensor(x, y)`. */
export function editText({ call, node, text, users, source }: StageEdit): string {
  const where = source ? `${source.file}:${source.line} ` : ''
  const whom = users ? ` in ${users.length > 3 ? `${users.length} users` : users.join(', ')}` : ''
  return `${where}${call} ${node}${text === '' ? '' : `: ${text}`}${whom}`
}
