/** The visited part of the graph at a step, beside the pattern. */
import { useEffect, useMemo, useRef } from 'react'
import { useRun } from '../../session/run_store'
import { MiniGraph } from '../../report/views/MiniGraph'
import { graphMarks, visitedGraph } from './board'
import { revealMarked } from './pan'
import { useSteps } from '../../on_screen/steps/store'
import { aroundOf, type IndexedTimeline } from '../../on_screen/steps/timeline'
import styles from './StepBoard.module.css'

export function GraphPart({ indexed, at }: { indexed: IndexedTimeline; at: number }) {
  const box = useRef<HTMLDivElement>(null)
  const graph = useRun((s) => s.result.value?.graph ?? null)
  const breakpoints = useSteps((s) => s.breakpoints)
  // Steps of one entry show the same nodes, so the picture stays while the match goes on.
  const key = graph ? aroundOf(indexed, at).join() : ''
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- key stands for the step
  const part = useMemo(() => graph && visitedGraph(indexed, at, graph), [indexed, graph, key])
  useEffect(() => revealMarked(box.current), [at, part])
  if (!part || part.nodes.length === 0) return null
  const stops = new Set(breakpoints.flatMap((b) => (b.kind === 'graph' ? [b.node] : [])))
  return (
    <section aria-label="The graph" className={styles.side}>
      <h3>Graph</h3>
      <div ref={box} className={styles.pane}>
        <MiniGraph
          graph={part}
          label="The part of the graph that this pattern is compared with. Press a node to set or clear a breakpoint."
          marks={graphMarks(indexed, at, part)}
          dots={new Set(part.nodes.flatMap((n, i) => (stops.has(n.name) ? [i] : [])))}
          onSelect={(i) => useSteps.getState().toggle({ kind: 'graph', node: part.nodes[i]!.name })}
        />
      </div>
    </section>
  )
}
