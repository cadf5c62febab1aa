import type { Node, NodeProps } from '@xyflow/react'
import { memo, type CSSProperties } from 'react'
import type { NodeView } from '../../engine/protocol'
import type { Block } from '../fold/types'
import type { ItemKind } from '../layout'
import { BlockCard } from './blocks/BlockCard'
import type { Tally } from './blocks/tallies'
import { cardLines, cardWord, chipText, compactText, typeText } from '../layout/text'
import type { CanvasGroup, Mark } from './types'
import { isFilled, PATTERN_COLORS } from './types'
import { css, cx } from '../ui/css'
import styles from './FlowNode.module.css'

export interface FlowNodeData extends Record<string, unknown> {
  view: NodeView
  kind: ItemKind
  groups: readonly CanvasGroup[]
  selected: boolean
  hovered: boolean
  mark: Mark | null
  block: Block | null
  tallies: readonly Tally[]
  /** Number of nodes in the block that Find found. */
  found: number
}

export type FlowNodeType = Node<FlowNodeData, 'fx'>

const patternVar = (g: CanvasGroup): string => `var(--fs-pattern-${g.color % PATTERN_COLORS})`

/** One box in the DOM: a full card, or a chip for everything small. */
export const FlowNode = memo(function FlowNode({ data }: NodeProps<FlowNodeType>) {
  const { view, kind, groups, selected, hovered, mark } = data
  const lead = groups.find((g) => isFilled(g.kind)) ?? groups[0]
  const style = {
    '--family': `var(--fc-family-${view.family})`,
    '--family-text': `color-mix(in srgb, var(--fc-family-${view.family}) 60%, var(--fs-text))`,
    '--pattern': lead ? patternVar(lead) : undefined,
  } as CSSProperties
  const state = {
    'data-lit': lead ? lead.kind : undefined,
    'data-selected': selected || undefined,
    'data-hovered': hovered || undefined,
    'data-mark': mark ?? undefined,
    'data-node': view.name,
  }
  if (data.block) {
    const { 'data-selected': on, 'data-hovered': over, 'data-mark': sign } = state
    const blockState = { 'data-selected': on, 'data-hovered': over, 'data-mark': sign }
    return <BlockCard block={data.block} tallies={data.tallies} found={data.found} state={blockState} />
  }
  if (kind !== 'node') {
    return (
      <div className={styles.node} data-small={kind} style={style} {...state}>
        {kind === 'entry' && <span aria-hidden="true">↳</span>}
        {kind === 'ref' && <span aria-hidden="true">↗</span>}
        <span className={cx(styles.name, css.ellipsis)}>{kind === 'compact' ? compactText(view) : chipText(view)}</span>
      </div>
    )
  }
  const [label, second] = cardLines(view)
  return (
    <div className={styles.node} style={style} {...state}>
      <div className={styles.big}>
        <span className={css.ellipsis}>{cardWord(view)}</span>
        <Badges groups={groups} />
      </div>
      <div className={styles.line}>
        <span className={cx(styles.name, css.ellipsis)}>{label}</span>
        <Badges groups={groups} />
      </div>
      <div className={styles.line}>
        <span className={cx(styles.target, css.ellipsis)}>{second}</span>
        {view.inner !== null && (
          <span className={styles.tag} title="auto_functionalized: returns what the operator would have written">
            af
          </span>
        )}
      </div>
      <div className={styles.line}>
        <span className={cx(styles.type, css.ellipsis)}>{typeText(view) || ' '}</span>
      </div>
    </div>
  )
})

function Badges({ groups }: { groups: readonly CanvasGroup[] }) {
  if (groups.length === 0) return null
  return (
    <span className={styles.badges}>
      {groups.slice(0, 3).map((g) => (
        <span
          key={g.id}
          className={styles.badge}
          data-kind={g.kind}
          data-pattern-group={g.id}
          style={{ '--pattern': patternVar(g) } as CSSProperties}
        >
          {g.letter}
        </span>
      ))}
    </span>
  )
}
