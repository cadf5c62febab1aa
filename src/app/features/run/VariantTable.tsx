/** Every registration of a pass with the verdict of its run. */
import type { EntryReport, Report } from '../../../engine/protocol'
import { entryKey, markOf, passNamed } from '../../../engine/queries/report_index'
import { verdictTone, verdictWord } from './run_text'
import { variantLabel } from '../../report/variant_label'
import { useGpu, type LeafVerdict } from './store'
import { useOfRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { Badge } from '../../ui/Badge'
import { PatternBadge } from '../../ui/PatternBadge'
import { capitalized, type Message } from '../../../base/message'
import { MessageText } from '../../ui/MessageText'
import { SectionTitle } from '../../ui/Section'
import { css, cx } from '../../ui/css'
import { OlderText } from '../../report/views/OlderText'
import styles from './VariantTable.module.css'

/** Registrations that have two sides to compare. */
export const variantsOf = (report: Report, pass: string): EntryReport[] =>
  passNamed(report, pass)?.entries.filter((e) => e.replacement !== null) ?? []

/** The verdicts of the report on screen. */
export const useVerdicts = (): Readonly<Record<string, LeafVerdict>> =>
  useOfRun(useGpu((s) => s.verdicts)) ?? NO_VERDICTS
const NO_VERDICTS = {}

export function VariantTable({ report, pass }: { report: Report; pass: string }) {
  const section = useGpu((s) => s.verdicts)
  const verdicts = useVerdicts()
  const found = passNamed(report, pass)
  const known = found?.entries.filter((e) => verdicts[entryKey(pass, e.index)]) ?? []
  if (!found || known.length < 2) return null
  const count = (kind: LeafVerdict['kind']): number =>
    known.filter((e) => verdicts[entryKey(pass, e.index)]!.kind === kind).length
  const words = (['equal', 'close', 'different', 'cannot run'] as const)
    .filter((k) => count(k) > 0)
    .map((k) => `${count(k)} ${verdictWord(k)}`)
    .join(', ')
  return (
    <section aria-label="Verdict of each variant" data-testid="run-verdicts">
      <SectionTitle as="h4">
        {known.length} variants: {words} <OlderText of={section} />
      </SectionTitle>
      <ul className={styles.list}>
        {known.map((e) => {
          const v = verdicts[entryKey(pass, e.index)]!
          return (
            <li key={e.index} data-testid="variant-verdict" data-kind={v.kind}>
              <button
                className={styles.row}
                onClick={() => useView.getState().select({ kind: 'entry', pass, index: e.index })}
              >
                <PatternBadge mark={markOf(report, pass, e.index)} hollow={e.fired === 0} />
                <span className={cx(css.mono, styles.name)}>{variantLabel(found, e) || e.title}</span>
                <VerdictMark verdict={v} />
              </button>
              <p className={css.muted}>
                <MessageText message={reasonOf(v)} />
              </p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The reason in one line: the causes if known, else the verdict's message. */
function reasonOf(v: LeafVerdict): Message {
  if (v.causes.length > 0 && (v.kind === 'close' || v.kind === 'different'))
    return [`The fused kernel ${v.causes.map((c) => c.text).join('; it ')}.`]
  return capitalized(v.parts)
}

export function VerdictMark({ verdict }: { verdict: LeafVerdict }) {
  return (
    <Badge data-testid="verdict-mark" tone={verdictTone(verdict.kind)} title={verdict.sentence}>
      {verdictWord(verdict.kind)}
    </Badge>
  )
}
