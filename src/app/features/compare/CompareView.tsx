/** Two graphs side by side, with the list of the changes between them and of the matches that only one of them has. */
import { useMemo } from 'react'
import { count } from '../../../base/english'
import type { ComparedMatch, CompareReport } from '../../../engine/compare/types'
import type { Mark } from '../../canvas'
import { CloseButton } from '../../ui/Button'
import { OlderText } from '../../report/views/OlderText'
import { RowButton } from '../../ui/Row'
import { css, cx } from '../../ui/css'
import frameStyles from '../../on_screen/frame.module.css'
import { DifferenceSteps } from '../../on_screen/differences/DifferenceSteps'
import { useNewest } from '../../on_screen/look/visible'
import { useOwnFold } from '../../on_screen/fold/own_fold'
import { SideCanvas } from '../../on_screen/SideCanvas'
import styles from './CompareView.module.css'
import { closeComparison } from '../../on_screen/compare/requests'
import { useCompare, type CompareStore } from '../../on_screen/compare/store'
import { pairsOf } from '../../report/compared_pairs'

/** The nodes of both graphs that a chosen match or change lights. */
interface Lit {
  old: ReadonlySet<string>
  now: ReadonlySet<string>
}

const NOTHING: Lit = { old: new Set(), now: new Set() }

function litNodes(report: CompareReport, picked: CompareStore['picked']): Lit {
  if (!picked) return NOTHING
  if (picked.list === 'node') {
    const other = pairsOf(report)[picked.side].get(picked.name) ?? []
    const [own, there] = [new Set([picked.name]), new Set(other)]
    return picked.side === 'before' ? { old: own, now: there } : { old: there, now: own }
  }
  if (picked.list === 'changes') {
    const place = report.changes[picked.index]?.places[picked.place]
    return place ? { old: new Set(place.old), now: new Set(place.now) } : NOTHING
  }
  const place = report[picked.list][picked.index]?.places[picked.place]
  if (!place) return NOTHING
  const [here, there] = [new Set(place.nodes), new Set(place.others)]
  return picked.list === 'lost' ? { old: here, now: there } : { old: there, now: here }
}

export function CompareView() {
  const report = useCompare((s) => s.compared.value)!
  return (
    <main
      className={cx(styles.view, css.column, css.fill)}
      data-testid="compare-view"
      aria-label="Comparison of two graphs"
    >
      <Lists report={report} />
      <div className={cx(frameStyles.canvases, styles.canvases)} data-mode="split">
        <CompareCanvas report={report} side="before" />
        <CompareCanvas report={report} side="after" />
      </div>
    </main>
  )
}

function Lists({ report }: { report: CompareReport }) {
  const { old, now, paired, patterns = [], changes, lost, won, kept } = report
  const both = kept.reduce((sum, k) => sum + k.count, 0)
  return (
    <div className={styles.lists}>
      <div className={styles.head}>
        <span className={css.ellipsis} title={`${old.name} → ${now.name}`}>
          {old.name} → {now.name}: {count(paired, 'node')} in both, {count(both, 'match', 'matches')} in both
        </span>
        <OlderText of={useCompare((s) => s.compared)} />
        <DifferenceSteps />
        <CloseButton size={12} label="Close the comparison" onClick={closeComparison} />
      </div>
      <Matches title="Lost" list="lost" matches={lost} />
      <Matches title="Won" list="won" matches={won} />
      <Patterns sentences={patterns} />
      <h2 className={styles.title}>{titleOfChanges(report)}</h2>
      {changes.map((change, i) => (
        <Entry key={i} list="changes" index={i} places={change.places.length} text={change.sentence} />
      ))}
    </div>
  )
}

const titleOfChanges = ({ changes, patterns }: CompareReport): string => {
  const of = patterns ? ' of the graph' : ''
  return changes.length === 0 ? `No change${of}` : `${count(changes.length, 'change')}${of}`
}

/** For two captures: the patterns that differ. */
function Patterns({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null
  return (
    <>
      <h2 className={styles.title}>{count(sentences.length, 'pattern differs', 'patterns differ')}</h2>
      <ul className={styles.patterns} data-testid="compare-patterns">
        {sentences.map((s, i) => (
          <li key={i} className={css.wrap}>
            {s}
          </li>
        ))}
      </ul>
    </>
  )
}

function Matches({ title, list, matches }: { title: string; list: 'lost' | 'won'; matches: readonly ComparedMatch[] }) {
  if (matches.length === 0) return null
  const all = matches.reduce((sum, m) => sum + m.places.length, 0)
  return (
    <>
      <h2 className={styles.title}>
        {title}: {count(all, 'match', 'matches')}
      </h2>
      {matches.map((m, i) => (
        <Entry
          key={i}
          list={list}
          index={i}
          places={m.places.length}
          title={`${m.title} at ${m.places[0]!.node}${m.places.length > 1 ? ` and ${m.places.length - 1} more` : ''}`}
          text={m.sentence}
        />
      ))}
    </>
  )
}

interface EntryProps {
  list: 'lost' | 'won' | 'changes'
  index: number
  places: number
  title?: string
  text: string
}

/** A click on a chosen entry goes to its next place. */
function Entry({ list, index, places, title, text }: EntryProps) {
  const picked = useCompare((s) => s.picked)
  const selected = picked?.list === list && picked.index === index
  const next = selected ? (picked.place + 1) % places : 0
  return (
    <RowButton
      selected={selected}
      className={styles.entry}
      data-testid={`compare-${list}`}
      onClick={() => useCompare.setState({ picked: { list, index, place: next } })}
    >
      <span className={styles.text}>
        {title && <strong>{title}</strong>}
        <span className={css.wrap}>{text}</span>
      </span>
      {places > 1 && (
        <span className={css.num}>
          {selected ? `${picked.place + 1} / ` : ''}
          {places}
        </span>
      )}
    </RowButton>
  )
}

function CompareCanvas({ report, side }: { report: CompareReport; side: 'before' | 'after' }) {
  const picked = useCompare((s) => s.picked)
  const { name, graph } = side === 'before' ? report.old : report.now
  const marks = useMemo(() => marksOf(report, side), [report, side])
  const nodes = useMemo(() => {
    const lit = litNodes(report, picked)
    return side === 'before' ? lit.old : lit.now
  }, [report, picked, side])
  const selection = useMemo(() => ({ nodes, focus: nodes.values().next().value ?? null }), [nodes])
  const { shown, ...folded } = useOwnFold(graph, nodes)
  const lit = useMemo(() => (nodes.size > 0 ? { names: [...nodes], own: false } : null), [nodes])
  return (
    <section className={frameStyles.pane} data-region="canvas" aria-label={name} data-testid={`compare-canvas-${side}`}>
      <h2 className={frameStyles.title}>
        {side === 'before' ? 'Old' : 'New'}: {name} · {count(graph.nodes.length, 'node')}
      </h2>
      <SideCanvas
        {...{ side, selection, marks, ...folded }}
        framing={useNewest(lit, shown)}
        onSelectNode={(node) => node && pickAt(report, side, node)}
      />
    </section>
  )
}

/** Nodes that only this graph has are marked as removed or added, changed nodes as culprits. */
function marksOf({ changes }: CompareReport, side: 'before' | 'after'): Map<string, Mark> {
  const marks = new Map<string, Mark>()
  for (const { kind, places } of changes)
    for (const place of places) {
      const whole = kind === 'removed' || kind === 'inserted' || kind === 'replaced'
      const names = side === 'before' ? place.old : place.now
      names.forEach((n, i) => {
        const reads = whole && i === names.length - 1 && names.length > 0 && kind !== 'replaced'
        if (!marks.has(n)) marks.set(n, !whole || reads ? 'culprit' : side === 'before' ? 'removed' : 'added')
      })
    }
  return marks
}

/** Chooses the first match or change that has the node, else the node. */
function pickAt(report: CompareReport, side: 'before' | 'after', node: string): void {
  for (const list of ['lost', 'won', 'changes'] as const)
    for (const [index, entry] of report[list].entries())
      for (let place = 0; place < entry.places.length; place++) {
        const lit = litNodes(report, { list, index, place })
        if ((side === 'before' ? lit.old : lit.now).has(node)) {
          useCompare.setState({ picked: { list, index, place } })
          return
        }
      }
  useCompare.setState({ picked: { list: 'node', side, name: node } })
}
