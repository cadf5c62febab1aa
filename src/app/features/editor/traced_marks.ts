/** Traced nodes on the lines of search functions, with dtype and shape. */
import { memoizeLast } from '../../../base/memoize'
import type { NodeView, Report } from '../../../engine/protocol'
import type { Workspace } from '../../../workspace/types'
import { fileOf } from '../../session/workspace_store'

export interface TracedMark {
  line: number
  /** `mul → relu: f32[8, 16]`; with several variants, the first and the number of other texts. */
  text: string
  hover: string
}

/** Maximum number of names in a mark; the hover lists the rest. */
const MAX_NAMES = 3
/** Maximum number of a line's texts in a hover. */
const MAX_VARIANTS = 12

/** The marks of a file, in the order of the passes. Hovers and selections ask again for the same ones. */
export const tracedMarks = memoizeLast(marksOf)

function marksOf(file: string, workspace: Workspace, report: Report | null): TracedMark[] {
  const lines = new Map<number, Map<string, string>>()
  for (const pass of report?.passes ?? [])
    for (const entry of pass.entries)
      for (const [line, nodes] of nodesByLine(entry.pattern.nodes, file, workspace)) {
        const texts = lines.get(line) ?? new Map<string, string>()
        lines.set(line, texts)
        texts.set(shortText(nodes), nodes.map((n) => `${n.name}: ${typeOf(n)}`).join('  \n'))
      }
  return [...lines].map(([line, texts]) => {
    const [first = ''] = texts.keys()
    const others = texts.size - 1
    return {
      line,
      text: others === 0 ? first : `${first} (+${others})`,
      hover: [...texts.values()].slice(0, MAX_VARIANTS).join('\n\n'),
    }
  })
}

function nodesByLine(nodes: readonly NodeView[], file: string, workspace: Workspace): Map<number, readonly NodeView[]> {
  const lines = new Map<number, NodeView[]>()
  for (const n of nodes) {
    if (!n.source || n.op === 'placeholder' || n.op === 'output' || fileOf(workspace, n.source.file) !== file) continue
    lines.set(n.source.line, [...(lines.get(n.source.line) ?? []), n])
  }
  return lines
}

function shortText(nodes: readonly NodeView[]): string {
  const names = nodes.map((n) => n.name)
  const shown = names.length > MAX_NAMES ? [names[0]!, '…', ...names.slice(1 - MAX_NAMES)] : names
  return `${shown.join(' → ')}: ${typeOf(nodes.at(-1)!)}`
}

const typeOf = ({ dtype, shape }: NodeView): string => (dtype === null ? 'several values' : `${dtype}${shape ?? ''}`)
