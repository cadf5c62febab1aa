/** The nearest miss of a registration, with a link to its cause. */
import type { EntryReport, PassReport, Report } from '../../../engine/protocol'
import { whyNot } from '../../../engine/queries/why_not'
import { useView } from '../../session/view_store'
import { MessageText } from '../../ui/MessageText'
import { SectionTitle } from '../../ui/Section'
import { LinkButton } from '../../ui/Button'
import css from '../../ui/text.module.css'

export function NearestMiss({ report, pass, entry }: { report: Report; pass: PassReport; entry: EntryReport }) {
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
