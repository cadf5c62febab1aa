/** The text of an edit by user code. */
import type { StageEdit } from './types'

/** `rms.py:14 erase_node add_3: aten.add.Tensor(x, y)`. */
export function editText(edit: StageEdit): string {
  const where = editPlace(edit)
  return `${where === '' ? '' : `${where} `}${edit.call} ${edit.node}${editDetail(edit)}`
}

/** `rms.py:14`; empty for an edit without a line. */
export const editPlace = ({ source }: StageEdit): string => (source ? `${source.file}:${source.line}` : '')

/** `: aten.add.Tensor(x, y)`, with the users that an edit concerns. */
export function editDetail({ text, users }: StageEdit): string {
  const whom = users ? ` in ${users.length > 3 ? `${users.length} users` : users.join(', ')}` : ''
  return `${text === '' ? '' : `: ${text}`}${whom}`
}
