/** One registration: bindings, pattern as text and as a graph, replacement. */
import type { EntryReport, PassReport, Report } from '../../../engine/protocol'
import { markOf, entryKey } from '../../../engine/queries/report_index'
import { count } from '../../../base/english'
import { useHoverHighlight, useSelectionHighlight } from '../../on_screen/use_highlight'
import { useView } from '../../session/view_store'
import { PatternBadge } from '../../ui/PatternBadge'
import { MiniGraph } from '../../report/views/MiniGraph'
import { usePatterns } from './store'
import { LeafSiblings } from './LeafSiblings'
import { Lints } from '../../report/views/Lints'
import { Button, LinkButton } from '../../ui/Button'
import { Facts } from '../../ui/Table'
import { SectionTitle } from '../../ui/Section'
import { Notice } from '../../ui/Messages'
import { SourceLink } from '../../ui/SourceLink'
import styles from './LeafDetail.module.css'
import { css } from '../../ui/css'
import { whyNot } from '../../../engine/queries/why_not'
import { MessageText } from '../../ui/MessageText'
import { useGpu } from '../run/store'
import { useVerdicts } from '../run/VariantTable'

/** The verdict of this registration's run, and a link to run it. */
function LeafVerdictLine({ pass, entry }: { pass: string; entry: number }) {
  const verdict = useVerdicts()[entryKey(pass, entry)]
  const open = (
    <LinkButton
      onClick={() => {
        useGpu.setState({ what: 'variant' })
        useView.getState().setPanel('run')
      }}
    >
      {verdict ? 'Run again' : 'Compare it with its replacement'}
    </LinkButton>
  )
  return verdict ? (
    <p data-testid="leaf-verdict">
      {verdict.headline !== null && `${verdict.headline}: `}
      <MessageText message={verdict.parts} /> {open}
    </p>
  ) : (
    <p>{open}</p>
  )
}

/** The nearest miss of a registration, with a link to its cause. */
function NearestMiss({ report, pass, entry }: { report: Report; pass: PassReport; entry: EntryReport }) {
  const { near, taken } = whyNot(report)
  const of = (list: typeof near) =>
    list.flatMap((v) => v.misses).find((m) => m.pass.name === pass.name && m.miss.entry === entry.index)
  const nearest = of(near)
  const gone = nearest ? undefined : of(taken)
  if (pass.explained === false)
    return entry.fired > 0 ? null : <p className={css.muted}>Looking for the nearest miss…</p>
  if (!nearest && !gone) return entry.fired > 0 ? null : <p className={css.muted}>This pattern has no near miss.</p>
  const { miss } = (nearest ?? gone)!
  return (
    <div data-testid="leaf-miss">
      <SectionTitle as="h4">{nearest ? 'Nearest miss' : 'Another pattern fired at its near misses'}</SectionTitle>
      <p>
        <MessageText message={miss.parts} graph={report.graph} />{' '}
        <LinkButton
          onClick={() => {
            useView.getState().select({ kind: 'nearMiss', pass: pass.name, index: miss.index })
            useView.getState().setPanel('whynot')
          }}
        >
          Why not
        </LinkButton>
      </p>
    </div>
  )
}

interface Props {
  report: Report
  pass: PassReport
  entry: EntryReport
  pinned: boolean
  pin(): void
}

export function LeafDetail({ report, pass, entry, pinned, pin }: Props) {
  const bindings = Object.entries(entry.bindings)
  return (
    <section className={css.padWide} aria-label={`Pattern ${entry.title}`}>
      <header className={styles.head}>
        <PatternBadge mark={markOf(report, pass.name, entry.index)} hollow={entry.fired === 0} />
        <h3 className={css.ellipsis}>{entry.title}</h3>
        <span className={css.num}>{entry.fired > 0 ? `fired ${count(entry.fired, 'time')}` : 'did not fire'}</span>
        <Button
          title="Each expression of the pattern in words, with the nodes that pass it"
          onClick={() => usePatterns.setState({ show: 'explain' })}
        >
          Explain
        </Button>
        <Button aria-pressed={pinned} title="Keep this pattern and choose another one to compare" onClick={pin}>
          {pinned ? 'Choose the other pattern' : 'Compare'}
        </Button>
      </header>
      <LeafVerdictLine pass={pass.name} entry={entry.index} />
      {bindings.length > 0 && <Facts pairs={bindings} />}
      {entry.source && (
        <p>
          <SourceLink source={entry.source} />
        </p>
      )}
      <Lints
        report={report}
        lints={(pass.lints ?? []).filter((l) => l.entry === entry.index).map((lint) => ({ pass, entry, lint }))}
        bare
      />
      <NearestMiss report={report} pass={pass} entry={entry} />
      <LeafSiblings report={report} pass={pass} entry={entry} />
      <PatternSection pass={pass} entry={entry} />
      <SectionTitle as="h4">Replacement</SectionTitle>
      {entry.replacement ? (
        <MiniGraph graph={entry.replacement} label={`Graph of the replacement of ${entry.title}`} />
      ) : (
        <Notice tone="warn">{entry.replacementError ?? 'The replacement is traced when the pattern fires.'}</Notice>
      )}
      <details open>
        <SectionTitle as="summary">Output of PatternPrettyPrinter</SectionTitle>
        <pre className={styles.text} tabIndex={0} aria-label="The pattern as PyTorch prints it">
          {entry.text}
        </pre>
      </details>
    </section>
  )
}

function PatternSection({ pass, entry }: { pass: PassReport; entry: EntryReport }) {
  const selected = useSelectionHighlight()
  const hovered = useHoverHighlight()
  const selection = useView((s) => s.selection)
  const { select, setHover } = useView.getState()
  // An entry or a match selects every node of its pattern, so no node is highlighted.
  const marked = selection?.kind === 'entry' || selection?.kind === 'match' ? undefined : selected.patternNodes
  const patternNode = (index: number) => ({ kind: 'patternNode', pass: pass.name, entry: entry.index, index }) as const
  return (
    <>
      <SectionTitle as="h4">Pattern</SectionTitle>
      <MiniGraph
        graph={entry.pattern}
        label={`Graph of the pattern ${entry.title}`}
        selected={marked}
        hovered={hovered.entry?.entry === entry ? hovered.patternNodes : undefined}
        onSelect={(i) => select(patternNode(i))}
        onHover={(i) => setHover(i === null ? null : patternNode(i))}
      />
    </>
  )
}
