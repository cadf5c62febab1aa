/** Selects the subject of a run: a match, a registration, or the whole graph. */
import type { Report } from '../../../engine/protocol'
import { indexOf, markOf } from '../../../engine/queries/report_index'
import { variantLabel } from '../../report/variant_label'
import { entryOf, useGpu, type Subject } from './store'
import { useView } from '../../session/view_store'
import { PatternBadge } from '../../ui/PatternBadge'
import { Segmented } from '../../ui/Segmented'
import { Select } from '../../ui/Field'
import { css } from '../../ui/css'

const KINDS = [
  ['match', 'Match'],
  ['variant', 'Pattern'],
  ['graph', 'Whole graph'],
] as const

export function SubjectPicker({ report, subject }: { report: Report; subject: Subject }) {
  const running = useGpu((s) => s.running)
  const unmatched = indexOf(report).matches.length === 0
  const entry = entryOf(report, subject)
  return (
    <>
      <Segmented
        wide
        label="What to run"
        value={subject.kind}
        onChange={(kind) => useGpu.setState({ what: kind })}
        segments={KINDS.map(([value, label]) => ({
          value,
          label,
          disabled: running !== null || (value === 'match' && unmatched),
          ...(value === 'match' && unmatched && { title: 'Nothing matched' }),
          testId: `run-kind-${value}`,
        }))}
      />
      {subject.kind !== 'graph' && (
        <div className={css.row}>
          {entry && <PatternBadge mark={markOf(report, subject.pass, entry.index)} hollow={entry.fired === 0} />}
          {subject.kind === 'match' ? (
            <Matches report={report} subject={subject} />
          ) : (
            <Variants report={report} subject={subject} />
          )}
        </div>
      )}
    </>
  )
}

const keyOf = (pass: string, n: number): string => `${pass}\u0000${n}`

function choose(value: string, kind: 'match' | 'entry'): void {
  const [pass = '', n = ''] = value.split('\u0000')
  useView.getState().select({ kind, pass, index: Number(n) })
}

function Matches({ report, subject }: { report: Report; subject: Extract<Subject, { kind: 'match' }> }) {
  return (
    <Select
      aria-label="Match to run"
      className={css.grow}
      mono
      value={keyOf(subject.pass, subject.match)}
      onValue={(value) => choose(value, 'match')}
      options={indexOf(report).matches.map((m) => [
        keyOf(m.pass.name, m.match.index),
        `${m.match.index + 1}: ${m.match.node}`,
      ])}
    />
  )
}

function Variants({ report, subject }: { report: Report; subject: Extract<Subject, { kind: 'variant' }> }) {
  return (
    <Select
      aria-label="Pattern to run"
      className={css.grow}
      mono
      value={keyOf(subject.pass, subject.entry)}
      onValue={(value) => choose(value, 'entry')}
      options={report.passes.flatMap((p) =>
        p.entries.map((e) => [keyOf(p.name, e.index), `${e.index + 1}: ${e.title} ${variantLabel(p, e)}`] as const),
      )}
    />
  )
}
