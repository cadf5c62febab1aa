/** The strip of a first visit: one sentence, a small graph with a match and a near miss, and three ways on. */
import { useState } from 'react'
import { capitalized, withoutNotes } from '../../../base/message'
import type { GraphView, NodeView, Report } from '../../../engine/protocol'
import { count } from '../../../base/english'
import { runCommand, type Command } from '../../commands/types'
import { Button, IconButton } from '../../ui/Button'
import { MessageText } from '../../ui/MessageText'
import { firstCause } from './answer'
import type { StoredWorkspace } from './catalog'
import { hideFirstVisit, useFirstVisit } from './first_visit'
import { openLesson } from './open_lesson'
import styles from './FirstVisitStrip.module.css'
import css from '../../ui/text.module.css'

/** @param open the command that opens a graph of the user */
export function FirstVisitStrip({ open }: { open: Command }) {
  const shown = useFirstVisit((s) => s.shown)
  const pictures = useFirstVisit((s) => s.pictures)
  if (!shown) return null
  return (
    <section className={styles.strip} data-region="first-visit" aria-label="What this is" data-testid="first-visit">
      <div className={styles.text}>
        <p className={styles.sentence}>
          Fusescope shows where a torch.fx pattern matches a graph, and why it does not match anywhere else.
        </p>
        <div className={styles.ways}>
          <Button variant="primary" onClick={() => void openLesson('fx-graph', 0)}>
            Learn
          </Button>
          <Button
            onClick={() => {
              hideFirstVisit()
              runCommand(open)
            }}
          >
            Open my graph
          </Button>
          <Button onClick={hideFirstVisit}>See the vLLM example</Button>
        </div>
      </div>
      <div className={styles.picture}>{pictures && <Picture pictures={pictures} />}</div>
      <IconButton variant="quiet" icon="close" label="Close the introduction" onClick={hideFirstVisit} />
    </section>
  )
}

/** The pattern, and a graph of four calls; the third call can be switched. */
function Picture({ pictures }: { pictures: readonly StoredWorkspace[] }) {
  const [at, setAt] = useState(0)
  const { report } = pictures[at]!
  const other = callsOf(pictures[1 - at]!.report.graph)[2]
  const cause = firstCause(report)?.cause
  const pattern = report.passes[0]?.entries[0]?.pattern
  if (!pattern || !other) return null
  return (
    <>
      <div className={styles.row}>
        <Chain label="The pattern" graph={pattern} />
        <span className={css.muted}>in</span>
        <Chain
          label="The graph"
          graph={report.graph}
          state={(name) => stateOf(report, name)}
          {...{ switchAt: 2, switchTo: labelOf(other), onSwitch: () => setAt(1 - at) }}
        />
      </div>
      <p className={styles.result} role="status">
        <strong>{count(report.passes[0]!.count, 'match', 'matches')}.</strong>{' '}
        {cause && (
          <>
            Near miss: <MessageText message={capitalized(withoutNotes(cause.parts))} />.
          </>
        )}
      </p>
    </>
  )
}

const callsOf = (graph: GraphView) => graph.nodes.filter((n) => n.op === 'call_function')

function stateOf({ passes }: Report, name: string): 'match' | 'near' | undefined {
  if (passes.some((p) => p.matches.some((m) => m.nodes.includes(name)))) return 'match'
  const near = (p: Report['passes'][number]): boolean =>
    p.nearMisses.some((m) => m.anchors.includes(name) || m.causes?.[0]?.graphNode === name)
  return passes.some(near) ? 'near' : undefined
}

interface ChainProps {
  label: string
  graph: GraphView
  state?(name: string): string | undefined
  /** Index of the call that is a button, and the label that it switches to. */
  switchAt?: number
  switchTo?: string
  onSwitch?(): void
}

function Chain({ label, graph, state, switchAt, switchTo, onSwitch }: ChainProps) {
  return (
    <ol className={styles.chain} aria-label={label}>
      {callsOf(graph).map((n, i) => (
        <li key={i} data-state={state?.(n.name)}>
          {i === switchAt ? (
            <button className={styles.node} title={`Make it ${switchTo}`} onClick={onSwitch}>
              {labelOf(n)} <span aria-hidden="true">⇄</span>
            </button>
          ) : (
            <span className={styles.node}>{labelOf(n)}</span>
          )}
        </li>
      ))}
    </ol>
  )
}

/** `mul 2`: the operator and its constants. */
const labelOf = ({ target, args }: NodeView): string =>
  [target.split('.')[1] ?? target, ...args.filter((a) => /^\d/.test(a))].join(' ')
