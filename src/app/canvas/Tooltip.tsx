import type { NodeView } from '../../engine/protocol'
import { typeText } from '../layout/text'
import styles from './Tooltip.module.css'
import { css, cx } from '../ui/css'

export type TipContent =
  | { kind: 'node'; view: NodeView; note: string | null }
  | { kind: 'group'; label: string; nodes: number; note: string | null }
  | { kind: 'text'; title: string; lines: readonly string[] }

/** Pointer position, in the canvas's CSS pixels, and the target below it. */
export interface Tip {
  x: number
  y: number
  content: TipContent
}

/** Full text of a node, beside the pointer; ignores pointer events. */
export function Tooltip({ tip, width, height }: { tip: Tip; width: number; height: number }) {
  const style = {
    ...(tip.x > width / 2 ? { right: Math.max(8, width - tip.x + 14) } : { left: tip.x + 14 }),
    ...(tip.y > height / 2 ? { bottom: Math.max(8, height - tip.y + 14) } : { top: tip.y + 14 }),
  }
  return (
    <div className={styles.tip} role="tooltip" style={style}>
      {tip.content.kind === 'node' && <NodeTip {...tip.content} />}
      {tip.content.kind === 'group' && <GroupTip {...tip.content} />}
      {tip.content.kind === 'text' && <TextTip {...tip.content} />}
    </div>
  )
}

function TextTip({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <>
      <strong>{title}</strong>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </>
  )
}

function GroupTip({ label, nodes, note }: { label: string; nodes: number; note: string | null }) {
  return (
    <>
      <strong>{label}</strong>
      {note !== null && <div className={styles.tipNote}>{note}</div>}
      <div>{nodes === 1 ? '1 node' : `${nodes} nodes`}</div>
    </>
  )
}

function NodeTip({ view, note }: { view: NodeView; note: string | null }) {
  const rows: [string, string][] = [['op', view.op]]
  if (view.target !== view.name) rows.push(['target', view.target])
  if (view.inner !== null) rows.push(['wraps', view.inner])
  // Shows the note only; the Node panel has the rest.
  if (note !== null)
    return (
      <>
        <strong>{view.name}</strong>
        <div className={styles.tipNote}>{note}</div>
        <div className={cx(styles.tipRow, css.cluster)}>
          <span>target</span>
          <span>{view.inner ?? view.target}</span>
        </div>
      </>
    )
  const type = typeText(view)
  if (type)
    rows.push(['type', type + (view.stride ? ` stride ${view.stride}` : '') + (view.device ? ` ${view.device}` : '')])
  if (view.args.length > 0) rows.push(['args', `(${view.args.join(', ')})`])
  if (view.kwargs.length > 0) rows.push(['kwargs', view.kwargs.map(([k, v]) => `${k}=${v}`).join(', ')])
  rows.push(['users', String(view.users.length)])
  if (view.source) rows.push(['from', `${view.source.file}:${view.source.line}`])
  return (
    <>
      <strong>{view.name}</strong>
      {rows.map(([key, value]) => (
        <div className={cx(styles.tipRow, css.cluster)} key={key}>
          <span>{key}</span>
          <span>{value}</span>
        </div>
      ))}
    </>
  )
}
