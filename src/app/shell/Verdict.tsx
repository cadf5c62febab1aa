/** The answer, above the panels: what matched, why the rest did not, and what to do next. */
import { useLayoutEffect, useMemo, useRef, useState, type RefObject, useEffect } from 'react'
import { bytesText, count } from '../../base/english'
import { plainText, type Message } from '../../base/message'
import type { PipelineStage } from '../../engine/pipeline/types'
import type { QuickFix } from '../../engine/protocol'
import { stubDecisions } from '../../engine/report/stub_decisions'
import type { PanelId } from '../../workspace/types'
import { editorLoaded } from '../commands/surfaces'
import { runById } from '../commands/registry'
import { toggled } from '../report/pipeline'
import { changePasses } from '../on_screen/stage/stage_requests'
import { useHeld } from '../on_screen/held'
import { statusText } from '../../engine/queries/report_text'
import { useRun, useStale } from '../session/run_store'
import { run as runAgain, stopRun } from '../session/runner'
import { useView } from '../session/view_store'
import { fileOf, useWorkspace } from '../session/workspace_store'
import { Badge } from '../ui/Badge'
import { Button, LinkButton } from '../ui/Button'
import { css, cx } from '../ui/css'
import { Icon, type IconName } from '../ui/icons'
import { MessageText } from '../ui/MessageText'
import { commandHint } from '../commands/CommandButton'
import { verdictOf, type NextStep, type Verdict as Found, type VerdictState } from './verdict_of'
import { SourceLink } from '../ui/SourceLink'
import styles from './Verdict.module.css'

/** True once `on` has lasted `ms`. */
function useLasting(on: boolean, since: number, ms: number): boolean {
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    setLasting(false)
    if (!on) return
    const timer = setTimeout(() => setLasting(true), Math.max(0, ms - (performance.now() - since)))
    return () => clearTimeout(timer)
  }, [on, since, ms])
  return on && lasting
}

/** A stored report is usually replaced by a run within this time, in ms; after that, it is labeled as stored. */
const STORED_MS = 1000

const ICONS: Readonly<Record<VerdictState, IconName>> = {
  matches: 'check',
  misses: 'mismatch',
  would: 'help',
  stale: 'reset',
  error: 'warn',
  off: 'stop',
  none: 'play',
}

/** Opens a panel; the panel's command would close an open one. */
const show = (id: PanelId) => (): void => useView.getState().setPanel(id)
const command = (id: string) => (): void => runById(id)

const NEXT: Readonly<Record<NextStep, { label: string; run(): void }>> = {
  why: { label: 'Why', run: show('whynot') },
  after: { label: 'Graph after', run: command('mode-after') },
  fusions: { label: 'What can be fused here?', run: command('fusions') },
  pipeline: { label: 'Pipeline', run: show('pipeline') },
  graph: { label: 'Paste graph', run: command('paste-graph') },
  traceback: { label: 'Traceback', run: show('console') },
  again: { label: 'Run again', run: () => void runAgain() },
}

export function Verdict() {
  const run = useRun()
  const version = useWorkspace((s) => s.version)
  const held = useHeld((s) => s.held)
  const since = run.running?.since ?? 0
  const running = useLasting(run.running?.silent === false, since, 300)
  const stored = useLasting(run.result.state === 'stored', since, STORED_MS)
  const { state, word, cause, ...todo } = verdictOf({ run, version, running, held })
  return (
    <section
      className={styles.verdict}
      data-state={state}
      data-testid="verdict"
      aria-label="Verdict"
      data-entry
      tabIndex={-1}
    >
      <div className={styles.head} role="status">
        <Icon name={ICONS[state]} size={16} />
        {state === 'error' && <strong>{word}</strong>}
        <Count before={state === 'error'} />
        {state !== 'error' && word && <Badge tone="warn">{word}</Badge>}
        {stored && <Badge title="Stored with the page; the engine has not run it in this browser yet">stored</Badge>}
        <StubBadge />
        <span className={css.spring} />
        {running ? <Stop /> : <Next {...todo} />}
      </div>
      <Cause cause={cause} place={todo.place} />
      <Loading />
      {running && <Progress />}
    </section>
  )
}

/** Three lines, or six after a press: both heights are fixed, so that no edit moves the panels below. */
function Cause({ cause, place }: Pick<Found, 'cause' | 'place'>) {
  const graph = useRun((s) => s.result.value?.graph)
  const text = useRef<HTMLParagraphElement>(null)
  const [open, setOpen] = useState(false)
  const cut = useCut(text, cause, open)
  return (
    <div className={css.row}>
      <p
        ref={text}
        className={styles.cause}
        data-open={open || undefined}
        title={plainText(cause)}
        {...(open && { tabIndex: 0 })}
      >
        <MessageText message={cause} graph={graph} /> {place && <SourceLink source={place} />}
      </p>
      {(cut || open) && (
        <LinkButton className={css.nowrap} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Less' : 'All of it'}
        </LinkButton>
      )}
    </div>
  )
}

/** True if the closed cause has more lines than are shown. */
function useCut(text: RefObject<HTMLElement | null>, cause: Message, open: boolean): boolean {
  const [cut, setCut] = useState(false)
  useLayoutEffect(() => {
    const element = text.current
    if (!element || open) return
    const measure = (): void => setCut(element.scrollHeight > element.clientHeight + 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [text, cause, open])
  return cut
}

/** `32 matches · 1,552 nodes`. @param before true if the report may belong to an older text */
function Count({ before }: { before: boolean }) {
  const older = useStale(useRun((s) => s.result)) && before
  const report = useRun((s) => s.result.value)
  const nodes = useRun(
    (s) => s.graphRead.value?.nodes.length ?? s.result.sent?.nodesBefore ?? s.result.value?.graph.nodes.length,
  )
  return (
    <span data-testid="status">
      {older && 'before it '}
      <b>{statusText(report)}</b>
      {nodes !== undefined && !older && <span className={css.muted}> · {count(nodes, 'node')}</span>}
    </span>
  )
}

function StubBadge() {
  const report = useRun((s) => s.result.value)
  const resting = useMemo(() => (report ? stubDecisions(report.stubs, report.passes).length : 0), [report])
  if (resting === 0) return null
  const title = `${count(resting, 'answer')} of stubbed modules decided what was registered or checked: see Console`
  return (
    <Badge tone="warn" data-testid="stub-badge" title={title}>
      rests on stubs
    </Badge>
  )
}

function Stop() {
  return (
    <Button variant="danger" data-testid="stop-button" onClick={stopRun} title={commandHint('stop')}>
      <Icon name="stop" size={12} />
      Stop
    </Button>
  )
}

function Next({ next, python, place, stage }: Pick<Found, 'next' | 'python' | 'place' | 'stage'>) {
  const file = useWorkspace((s) => (place ? fileOf(s.workspace, place.file) : null))
  return (
    <>
      {python?.edit && file && (
        <Button className={styles.fix} title={python.edit.title} onClick={() => void applyQuickFix(file, python.edit!)}>
          <span className={css.ellipsis}>{python.edit.title}</span>
        </Button>
      )}
      {stage && (
        <Button className={styles.fix} title={`Run ${stage.name}`} onClick={() => switchOn(stage)}>
          <Icon name="play" size={12} />
          <span className={css.ellipsis}>Run {stage.name}</span>
        </Button>
      )}
      {next.map((step) => (
        <Button key={step} onClick={NEXT[step].run}>
          {NEXT[step].label}
        </Button>
      ))}
    </>
  )
}

async function applyQuickFix(file: string, { from, to, text }: QuickFix): Promise<void> {
  const editor = await editorLoaded()
  editor.apply(new Map([[file, [{ file, from, to, text }]]]))
}

function switchOn(stage: PipelineStage): void {
  const report = useRun.getState().result.value
  if (report?.pipeline) changePasses(toggled(report.pipeline, stage), `${stage.name} is on.`)
}

/** Python's files on a slow line; the page is usable meanwhile. */
function Loading() {
  const loading = useRun((s) => (s.outcome.value.failure === null ? s.engine.loading : null))
  if (!loading) return null
  const { received, total } = loading
  const text = `Python loads: ${bytesText(received)} of ${bytesText(total)}`
  return (
    <p className={cx(css.row, css.muted)} data-testid="python-loading">
      <progress aria-label={text} value={received} max={total} />
      {text}
    </p>
  )
}

function Progress() {
  const progress = useRun((s) => s.running?.progress)
  const { text, fraction } = progress ?? { text: 'Running', fraction: null }
  return (
    <progress
      className={styles.progress}
      aria-label={text}
      {...(fraction !== null && { value: Math.round(fraction * 100), max: 100 })}
    />
  )
}
