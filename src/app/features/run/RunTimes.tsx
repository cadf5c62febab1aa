/** The times of both sides: speedup, bars, a table. */
import { Fragment } from 'react'
import { bytesText, figures } from '../../../base/english'
import type { RunReport, SideReport } from '../../../gpu/types'
import { spread, time, timingText } from './run_text'
import { FiguresTable, ScrollX } from '../../ui/Table'
import { css } from '../../ui/css'
import runStyles from './run.module.css'
import styles from './RunTimes.module.css'

/** A side with its label. */
type NamedSide = [string, SideReport]

export function RunTimes({ report }: { report: RunReport }) {
  const { unfused, fused, timing } = report
  if (!unfused || !fused) return null
  const text = timingText(report)
  const sides: NamedSide[] = [
    ['Unfused', unfused],
    ['Fused', fused],
  ]
  return (
    <section aria-label="Times" data-testid="run-times">
      {text && (
        <p>
          <strong>{text.headline}</strong>; {text.bytes}.
        </p>
      )}
      <TimeBars sides={sides} />
      <TimeTable sides={sides} withCopy={Boolean(timing?.copy)} />
    </section>
  )
}

/** Medians as bars, with the interquartile range on each. */
function TimeBars({ sides }: { sides: readonly NamedSide[] }) {
  const longest = Math.max(...sides.map(([, s]) => s.time?.q3 ?? 0), 1e-9)
  return (
    <div className={styles.bars}>
      {sides.map(([name, s]) =>
        s.time ? (
          <Fragment key={name}>
            <span>{name}</span>
            <div className={runStyles.bar} aria-hidden="true">
              <span style={{ width: `${(s.time.median / longest) * 100}%` }} />
              <span
                className={runStyles.spread}
                style={{
                  left: `${(s.time.q1 / longest) * 100}%`,
                  width: `${((s.time.q3 - s.time.q1) / longest) * 100}%`,
                }}
              />
            </div>
            <span className={css.num}>{time(s.time.median)}</span>
          </Fragment>
        ) : null,
      )}
    </div>
  )
}

const TIME_COLUMNS = ['', 'Median', 'Spread', 'Launches', 'Bytes', 'GB/s'] as const
const COPY_COLUMN = ['Of copy', 'Share of the bandwidth of a plain copy, timed in the same run'] as const

/** @param withCopy adds the share of a plain copy's bandwidth */
function TimeTable({ sides, withCopy }: { sides: readonly NamedSide[]; withCopy: boolean }) {
  return (
    <ScrollX>
      <FiguresTable columns={withCopy ? [...TIME_COLUMNS, COPY_COLUMN] : TIME_COLUMNS}>
        {sides.map(([name, s]) => (
          <tr key={name}>
            <td>{name}</td>
            <td>{s.time ? time(s.time.median) : '–'}</td>
            <td>{s.time ? spread(s.time) : '–'}</td>
            <td>{s.launches}</td>
            <td
              title={`${s.bytesRead.toLocaleString('en-US')} read, ${s.bytesWritten.toLocaleString('en-US')} written`}
            >
              {bytesText(s.bytesRead + s.bytesWritten)}
            </td>
            <td>{s.gbps === null ? '–' : figures(s.gbps)}</td>
            {withCopy && <td>{s.copyShare == null ? '–' : `${Math.round(s.copyShare * 100)} %`}</td>}
          </tr>
        ))}
      </FiguresTable>
    </ScrollX>
  )
}
