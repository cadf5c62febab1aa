/** Runs both sides of a match, of a registration or of the whole graph on the GPU, and compares results and times. */
import type { GraphView, Report } from '../../../engine/protocol'
import { cancelGpuRun, runSubject, runSweep, runVariants } from './gpu_runs'
import { writeKernel } from './kernels'
import { indexOf, passNamed } from '../../../engine/queries/report_index'
import { nothingRuns } from '../../../engine/queries/report_text'
import { entryOf, subjectKey, useGpu, type Subject } from './store'
import { useSelectionHighlight } from '../../on_screen/use_highlight'
import { NONE, type Section } from '../../session/section'
import { useRun } from '../../session/run_store'
import { Icon } from '../../ui/icons'
import { RunOptions } from './RunOptions'
import { RunSizes } from './RunSizes'
import { SubjectPicker } from './SubjectPicker'
import { SweepResult } from './SweepResult'
import { VariantTable, variantsOf } from './VariantTable'
import { RunResult } from './RunResult'
import { SenderRun } from './SenderRun'
import { EmptyState, Notice } from '../../ui/Messages'
import { css, cx } from '../../ui/css'
import { OlderText } from '../../report/views/OlderText'
import { Button } from '../../ui/Button'
import runStyles from './run.module.css'

export function RunPanel() {
  const report = useRun((s) => s.result.value)
  const summary = useRun((s) => s.result.sent)
  const sent = useGpu((s) => s.sent)
  const runHere = useGpu((s) => s.report.value !== null)
  if (sent && summary) return <SenderRun run={sent} />
  if (!report || summary)
    return <EmptyState>After the patterns have run here, you can run a match on your GPU.</EmptyState>
  if (nothingRuns(report) !== null)
    return <EmptyState>Once a pattern or a pass has run, its numbers and times are compared here.</EmptyState>
  return (
    <>
      {sent && !runHere && <SenderRun run={sent} />}
      <Runs report={report} />
    </>
  )
}

/** The chosen kind, or the next one that this report has: without a match a pattern runs, without a pattern the graph. */
function kindFor(report: Report, chosen: Subject['kind']): Subject['kind'] {
  if (chosen === 'match' && indexOf(report).matches.length > 0) return 'match'
  return chosen !== 'graph' && report.passes.some((p) => p.entries.length > 0) ? 'variant' : 'graph'
}

/** The subject of the chosen kind: the page's selection, else the subject of the last run, else the first. */
function useSubject(report: Report): Subject {
  const h = useSelectionHighlight()
  const { what, of } = useGpu()
  const kind = kindFor(report, what)
  if (kind === 'graph') return { kind }
  if (kind === 'match') {
    const { matches } = indexOf(report)
    const last = of?.kind === 'match' ? of : null
    const chosen =
      (h.match && matches.find((m) => m.pass === h.match!.pass && m.match === h.match!.match)) ??
      matches.find((m) => m.pass.name === last?.pass && m.match.index === last.match) ??
      matches[0]!
    return { kind, pass: chosen.pass.name, match: chosen.match.index }
  }
  if (h.entry) return { kind, pass: h.entry.pass.name, entry: h.entry.entry.index }
  if (of?.kind === 'variant' && passNamed(report, of.pass)?.entries[of.entry]) return of
  const pass = report.passes.find((p) => p.entries.length > 0)!
  return { kind, pass: pass.name, entry: pass.entries[0]!.index }
}

/** True if an input has a symbolic size, which a token count can replace. */
const hasSymbols = (graph: GraphView): boolean =>
  graph.nodes.some((n) => n.op === 'placeholder' && n.shape !== null && /[a-z]/i.test(n.shape))

const titleOf = (report: Report, s: Subject): string =>
  s.kind === 'graph' ? 'the whole graph' : (entryOf(report, s)?.title ?? s.pass)

/** Fused operator of a replacement: its last call outside PyTorch's own namespaces. */
function fusedOperator(report: Report, s: Subject): string | null {
  const nodes = entryOf(report, s)?.replacement?.nodes ?? []
  const targets = nodes.flatMap((n) => (n.op === 'call_function' ? [n.inner ?? n.target] : []))
  return targets.findLast((t) => !/^(aten|prims|operator|higher_order|_c10d_functional)\./.test(t)) ?? null
}

function Runs({ report }: { report: Report }) {
  const gpu = useGpu()
  const subject = useSubject(report)
  const mine = gpu.of && subjectKey(subject) === subjectKey(gpu.of)
  const result = mine && gpu.running !== 'one' ? gpu.report.value : null
  const sweep = gpu.sweep.value?.of === subjectKey(subject) ? gpu.sweep.value : null

  return (
    <div className={runStyles.panel}>
      <SubjectPicker report={report} subject={subject} />
      {subject.kind === 'variant' && <RunSizes report={report} subject={subject} />}
      <RunOptions kind={subject.kind} fixed={subject.kind === 'graph' && !hasSymbols(report.graph)} />
      <RunActions report={report} subject={subject} shown={sweep ? gpu.sweep : result ? gpu.report : NONE} />
      {gpu.running && <Progress />}
      {gpu.failure && !gpu.running && mine && (
        <Notice tone="bad" role="alert">
          {gpu.failure}
        </Notice>
      )}
      {gpu.cancelled && mine && (
        <p className={css.muted} role="status">
          Cancelled.
        </p>
      )}
      {sweep && <SweepResult sweep={sweep} />}
      {result && !sweep && <RunResult report={result} />}
      {subject.kind === 'variant' && <VariantTable report={report} pass={subject.pass} />}
      {!result && !sweep && !gpu.running && !(gpu.failure && mine) && <Hint kind={subject.kind} />}
    </div>
  )
}

/** Starts and cancels runs of a subject. */
function RunActions({ shown, ...of }: { report: Report; subject: Subject; shown: Section<unknown> }) {
  const running = useGpu((s) => s.running)
  return (
    <div className={cx(css.row, css.wraps)}>
      {running ? (
        <Button variant="danger" data-testid="run-cancel" onClick={cancelGpuRun}>
          <Icon name="stop" size={12} />
          Cancel
        </Button>
      ) : (
        <StartButtons {...of} />
      )}
      <OlderText of={shown} />
    </div>
  )
}

function StartButtons({ report, subject }: { report: Report; subject: Subject }) {
  const title = titleOf(report, subject)
  const variants = subject.kind === 'variant' ? variantsOf(report, subject.pass) : []
  const fused = fusedOperator(report, subject)
  return (
    <>
      <Button variant="primary" data-testid="run-button" onClick={() => void runSubject(subject, title)}>
        <Icon name="play" size={12} />
        Run
      </Button>
      {subject.kind === 'variant' && variants.length > 1 && (
        <Button
          data-testid="run-variants"
          title="Compare every registration of this pass, without timing"
          onClick={() =>
            void runVariants(
              subject.pass,
              variants.map((v) => v.index),
            )
          }
        >
          Run all {variants.length}
        </Button>
      )}
      {fused && (
        <Button
          data-testid="run-own-kernel"
          title={`Write your own WGSL kernel for ${fused}`}
          onClick={() => void writeKernel(fused)}
        >
          Your kernel
        </Button>
      )}
      {subject.kind !== 'graph' && (
        <Button
          data-testid="run-sweep"
          title="Time both sides at 1 to 4,096 tokens"
          onClick={() => void runSweep(subject, title)}
        >
          Sweep tokens
        </Button>
      )}
    </>
  )
}

function Progress() {
  const progress = useGpu((s) => s.progress)
  const percent = (progress?.fraction ?? 0) * 100
  return (
    <div role="status">
      <p className={css.muted}>{progress?.text ?? 'Preparing'}</p>
      <div
        className={runStyles.bar}
        role="progressbar"
        aria-label="Run"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent)}
      >
        <span style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}

const HINTS: Record<Subject['kind'], string> = {
  match:
    'Run executes the matched operators and the replacement on the same inputs, compares every output element by element, and times both.',
  variant:
    'Run traces the pattern and its replacement at these sizes and compares the two, whether or not the pattern fires in this graph.',
  graph:
    'Run executes the graph before and after the passes node by node and checks whether the rewrite kept the meaning. Calls without a kernel are skipped on both sides and listed.',
}

function Hint({ kind }: { kind: Subject['kind'] }) {
  return <p className={css.muted}>{HINTS[kind]}</p>
}
