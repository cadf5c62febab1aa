/** The match timeline: the current step with the pattern and the graph, which stay in view, above all steps. */
import { useEffect, useMemo, useRef } from 'react'
import type { Report } from '../../../engine/protocol'
import { resumeSteps } from '../../on_screen/steps/timeline_requests'
import { differs, rowOf, aroundOf, type IndexedTimeline } from '../../on_screen/steps/timeline'
import { passNamed } from '../../../engine/queries/report_index'
import { isHeld, useOfRun, useRun } from '../../session/run_store'
import { useSteps, type StepsOf } from '../../on_screen/steps/store'
import { useView } from '../../session/view_store'
import { PatternGraph } from './PatternGraph'
import { playEvery } from './play'
import { StepCard } from './StepCard'
import { StepList } from './StepList'
import { StepThrough } from '../../on_screen/steps/StepThrough'
import { StepTools } from './StepTools'
import { EmptyState, Notice } from '../../ui/Messages'
import { count } from '../../../base/english'
import { css, cx } from '../../ui/css'
import { Kbd } from '../../ui/Badge'
import boardStyles from './StepBoard.module.css'
import styles from './StepsPanel.module.css'
import { MiniGraph } from '../../report/views/MiniGraph'
import { graphMarks, visitedGraph } from './board'
import { revealMarked } from './pan'
import { actsAt } from './acts'
import { Button } from '../../ui/Button'
import { Term } from '../lessons/Term'
import stepActsStyles from './StepActs.module.css'

export function StepsPanel() {
  const { of, timeline, at, level, loading, failure } = useSteps()
  const indexed = timeline.value
  const report = useRun((s) => s.result.value)
  const playing = useSteps((s) => s.playing)
  useEffect(resumeSteps, [of, indexed])
  useEffect(() => (playing ? playEvery() : undefined), [playing])
  const pass = of && passNamed(report, of.pass)
  const current = useOfRun(timeline)
  const otherwise = useMemo(() => current && !current.numbers && pass && differs(current, pass), [current, pass])
  if (!of) return <Nothing />
  const step = indexed?.steps[at]
  return (
    <div className={styles.panel} data-testid="steps-panel" data-steps-scroll>
      <div className={styles.head} data-steps-head>
        <StepTools />
        {failure && <Notice tone="bad">{failure}</Notice>}
        {!indexed && loading && <EmptyState>Running the pass up to {of.node}…</EmptyState>}
        {indexed?.numbers && (
          <p className={cx(css.muted, styles.sender)} role="status" data-testid="sender-steps">
            The sender’s steps; they have not been run here.
            {indexed.total! > indexed.steps.length &&
              ` The link carries ${indexed.steps.length} of ${count(indexed.total!, 'step')}.`}
          </p>
        )}
        {otherwise && (
          <Notice>The result differs from the report: an extra_check or a handler is not deterministic.</Notice>
        )}
        {indexed && step && (
          <>
            <StepActs indexed={indexed} at={at} />
            <StepCard step={step} indexed={indexed} pass={pass} />
            <div className={boardStyles.board}>
              <PatternGraph step={step} indexed={indexed} pass={pass} />
              <GraphPart indexed={indexed} at={at} />
            </div>
          </>
        )}
      </div>
      {indexed && step && <StepList indexed={indexed} level={level} row={rowOf(indexed, level, at)} report={report} />}
    </div>
  )
}

/** Without an open timeline: offers subjects to step through, the selected node first. */
function Nothing() {
  const selection = useView((s) => s.selection)
  const report = useRun((s) => s.result.value)
  const held = useRun(isHeld)
  if (held) return <EmptyState>You can step through matches after the code of this link has run here.</EmptyState>
  const name = selection?.kind === 'node' && selection.side === 'before' ? selection.name : null
  const offers = report ? offersOf(report, name) : []
  return (
    <div className={styles.nothing}>
      <p>Step through a match: every comparison in PyTorch’s order, forward and back.</p>
      {offers.map(({ of, text }) => (
        <p key={text}>
          <StepThrough of={of}>{text}</StepThrough>
        </p>
      ))}
      <p className={css.muted}>
        Or select a node and press <Kbd>S</Kbd>, or choose “Step through” beside a match or a near miss.
      </p>
    </div>
  )
}

/** The selected node, else the nearest miss and the first match. */
function offersOf(report: Report, name: string | null): { of: StepsOf; text: string }[] {
  if (name !== null)
    return report.passes.map((pass) => ({
      of: { pass: pass.name, entry: null, node: name },
      text: `Step through ${name} in ${pass.name}`,
    }))
  const offers: { of: StepsOf; text: string }[] = []
  for (const pass of report.passes) {
    const miss = pass.nearMisses.find((m) => !m.taken && m.anchors.length > 0)
    const match = pass.matches[0]
    if (miss)
      offers.push({
        of: { pass: pass.name, entry: miss.entry, node: miss.anchors[0]! },
        text: `Step through the nearest miss, at ${miss.anchors[0]}`,
      })
    if (match)
      offers.push({
        of: { pass: pass.name, entry: match.entry, node: match.node },
        text: `Step through the first match, at ${match.node}`,
      })
  }
  return offers.slice(0, 4)
}

/** The visited part of the graph at a step, beside the pattern. */
function GraphPart({ indexed, at }: { indexed: IndexedTimeline; at: number }) {
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
    <section aria-label="The graph" className={boardStyles.side}>
      <h3 className={cx(css.tiny, css.muted)}>Graph</h3>
      <div ref={box} className={boardStyles.pane}>
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

/** The attempts of the current pattern as acts, stage one and stage two: each with its outcome and a link to its first step. */
function StepActs({ indexed, at }: { indexed: IndexedTimeline; at: number }) {
  const acts = actsAt(indexed, at)
  if (acts.length === 0) return null
  return (
    <nav className={stepActsStyles.acts} aria-label="Stages of the match">
      {acts.map((act) => (
        <Button
          key={act.index}
          aria-current={act.current ? 'step' : undefined}
          data-tone={act.ok === null ? undefined : act.ok ? 'ok' : 'bad'}
          data-testid="step-act"
          onClick={() => useSteps.getState().goTo(act.index)}
        >
          {act.title}
          {act.outcome && <span>: {act.outcome}</span>}
        </Button>
      ))}
      {acts.length === 1 && acts[0]!.phase === 'initial' && acts[0]!.ok === false && (
        <span className={css.muted}>
          <Term id="stageTwo" quiet>
            Stage two
          </Term>{' '}
          is not reached
        </span>
      )}
    </nav>
  )
}
