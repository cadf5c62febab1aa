/** The pattern graph of a step: the bindings so far, and the current expression. */
import { useEffect, useMemo, useRef } from 'react'
import type { PassReport } from '../../../engine/protocol'
import type { Step } from '../../../engine/session/steps_types'
import { boundAt, placeOf, toneOf, type IndexedTimeline } from '../../on_screen/steps/timeline'
import { useSteps } from '../../on_screen/steps/store'
import { MiniGraph, type MiniMark } from '../../report/views/MiniGraph'
import { revealMarked } from './pan'
import styles from './StepBoard.module.css'
import { css, cx } from '../../ui/css'

export function PatternGraph({
  step,
  indexed,
  pass,
}: {
  step: Step
  indexed: IndexedTimeline
  pass: PassReport | null
}) {
  const box = useRef<HTMLDivElement>(null)
  const breakpoints = useSteps((s) => s.breakpoints)
  const entry = step.entry === null ? null : (pass?.entries[step.entry] ?? null)
  const { marks, details } = useMemo(() => marksAt(indexed, step), [indexed, step])
  const current = placeOf(indexed, step.index).patternNode
  useEffect(() => {
    if (current !== null) revealMarked(box.current)
  }, [current, entry])
  if (!entry) return null
  if (entry.pattern.nodes.length === 0)
    return (
      <section className={styles.side} aria-label="The pattern">
        <h3 className={cx(css.tiny, css.muted)}>Pattern</h3>
        <pre className={styles.pane} tabIndex={0}>
          {entry.text}
        </pre>
      </section>
    )
  const dots = new Set(
    breakpoints.flatMap((b) =>
      b.kind === 'pattern' && b.pass === indexed.timeline.pass && b.entry === entry.index ? [b.index] : [],
    ),
  )
  return (
    <section className={styles.side} aria-label="The pattern">
      <h3 className={cx(css.tiny, css.muted)}>Pattern</h3>
      <div ref={box} className={styles.pane}>
        <MiniGraph
          graph={entry.pattern}
          label={`Pattern ${entry.title}. Press a node to set or clear a breakpoint.`}
          marks={marks}
          details={details}
          dots={dots}
          onSelect={(index) =>
            useSteps.getState().toggle({
              kind: 'pattern',
              pass: indexed.timeline.pass,
              entry: entry.index,
              index,
              name: entry.pattern.nodes[index]?.name ?? String(index),
            })
          }
        />
      </div>
    </section>
  )
}

/** Marks for the pattern nodes that are bound or compared at a step, and the graph nodes bound to them. */
function marksAt(indexed: IndexedTimeline, step: Step): { marks: Map<number, MiniMark>; details: Map<number, string> } {
  const m = new Map<number, MiniMark>()
  const d = new Map<number, string>()
  for (const s of boundAt(indexed, step.index)) {
    if (s.patternNode === null) continue
    m.set(s.patternNode, 'bound')
    if (s.found !== null) d.set(s.patternNode, s.found)
  }
  const { patternNode } = placeOf(indexed, step.index)
  if (patternNode !== null) m.set(patternNode, toneOf(indexed, step) === 'bad' ? 'bad' : 'current')
  return { marks: m, details: d }
}
