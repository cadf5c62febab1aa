/** Candidates that fix calls in a replacement that cannot be traced. */
import type { Change } from '../change'
import { listField, nodeField, textField, within } from '../syntax'
import { brief, type Candidate, type MakeCandidates } from './types'

/** Operators that write to `out=` raise while a pattern is traced; the form that returns a new tensor does not. */
export const withoutOut: MakeCandidates = ({ site }) => {
  const { replace } = site
  if (!replace) return []
  const { file } = replace
  return [...within(replace.node)].flatMap((call): Candidate[] => {
    const func = call.type === 'Call' ? nodeField(call, 'func') : null
    const out = func && listField(call, 'keywords').find((k) => textField(k, 'arg') === 'out')
    const before = [...listField(call, 'args'), ...listField(call, 'keywords')].filter((n) => n !== out && n.to >= 0)
    if (!func || !out || before.length === 0) return []
    const others = before.filter((n) => n.from < out.from)
    const last = others.sort((a, b) => b.to - a.to)[0]
    const changes: Change[] = last
      ? [{ file: file.name, from: last.to, to: out.to, text: '' }]
      : [{ file: file.name, from: out.from, to: Math.min(...before.map((n) => n.from)), text: '' }]
    const value = nodeField(func, 'value')
    if (func.type === 'Attribute' && value && textField(func, 'attr') === 'out')
      changes.push({ file: file.name, from: value.to, to: func.to, text: '' })
    return [
      {
        title: `Remove out= from ${brief(file.source(func), 30)} in the replacement ${site.at({ file, node: call })}`,
        changes,
      },
    ]
  })
}
