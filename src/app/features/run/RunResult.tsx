/** The result of a GPU run: verdict, outputs, times. */
import { Fragment } from 'react'
import type { Comparison, OutputReport, RunReport, SideReport, Verdict } from '../../../gpu/types'
import {
  asCsv,
  asJson,
  asMarkdown,
  bytes,
  deviceLine,
  error,
  figures,
  codesOf,
  shapeOf,
  share,
  spread,
  time,
  ulps,
} from './run_text'
import { MessageText } from '../../ui/MessageText'
import { CopyButtons } from './CopyButtons'
import { Histogram } from './Histogram'
import { Notice } from '../../ui/Messages'
import { cx } from '../../ui/cx'
import { SectionTitle } from '../../ui/Section'
import { ScrollX, Table } from '../../ui/Table'
import styles from './RunResult.module.css'
import css from '../../ui/text.module.css'
import runStyles from './run.module.css'

export function RunResult({ report }: { report: RunReport }) {
  const good = report.verdict.kind === 'equal' || report.verdict.kind === 'close'
  // Causes that the message names are not listed again.
  const causes = report.verdict.causes.filter((c) => !report.verdict.named.includes(c.id))
  return (
    <>
      <div className={styles.verdict} data-tone={good ? 'good' : 'bad'} data-testid="run-verdict" role="status">
        <VerdictText verdict={report.verdict} />
      </div>
      {causes.length > 0 && (
        <ul className={styles.causes}>
          {causes.map((c) => (
            <li key={c.id}>
              The fused kernel {c.text} <span className={css.muted}>({c.proven ? 'proven' : 'possible'})</span>
            </li>
          ))}
        </ul>
      )}
      {report.problems.map((p) => (
        <Notice key={p} tone="bad">
          {p}
        </Notice>
      ))}
      {report.outputs.length > 0 && <Outputs outputs={report.outputs} />}
      {report.cut && report.cut.length > 0 && <CutCalls cut={report.cut} />}
      <Times report={report} />
      <p className={css.muted}>{deviceLine(report)}</p>
      <ul className={cx(styles.notes, css.muted)}>
        {report.tokens !== null && <li>{report.tokens.toLocaleString('en-US')} tokens.</li>}
        {report.referenceRows !== null && (
          <li>The CPU reference computed {report.referenceRows.toLocaleString('en-US')} rows.</li>
        )}
        {report.notes.map((n) => (
          <li key={n}>{n}</li>
        ))}
      </ul>
      <CopyButtons
        texts={{ JSON: () => asJson(report), Markdown: () => asMarkdown(report), CSV: () => asCsv(report) }}
      />
    </>
  )
}

/** `Close: …` with the headline emphasized. */
function VerdictText({ verdict: { headline, parts } }: { verdict: Verdict }) {
  return (
    <>
      {headline !== null && <strong>{headline}:</strong>} <MessageText message={parts} />
    </>
  )
}

/** Calls without a kernel: how the run handled them, and how to add a kernel. */
function CutCalls({ cut }: { cut: NonNullable<RunReport['cut']> }) {
  return (
    <section aria-label="Skipped calls">
      <SectionTitle as="h4">Skipped in both graphs</SectionTitle>
      <ul className={styles.causes}>
        {cut.map((c) => (
          <li key={c.target}>
            <span className={css.mono}>{c.target}</span>{' '}
            <span className={css.muted}>({c.calls === 1 ? '1 call' : `${c.calls} calls`})</span>
          </li>
        ))}
      </ul>
      <p className={css.muted}>
        What they are given is compared; their results are made up, the same on both sides. A .wgsl file with a kernel
        for one brings it in.
      </p>
    </section>
  )
}

/** The outputs that differ, largest difference first; a whole graph can have hundreds of outputs. */
const MANY = 8

function Outputs({ outputs: all }: { outputs: OutputReport[] }) {
  const differing = all.filter((o) => !o.pair.equal).sort((a, b) => b.pair.relNorm - a.pair.relNorm)
  const outputs = all.length <= MANY ? all : differing.slice(0, MANY)
  const rest = all.length - outputs.length
  if (outputs.length === 0) return null
  return (
    <section aria-label="Outputs compared">
      <ScrollX>
        <Table variant="figures">
          <thead>
            <tr>
              <th scope="col">Output</th>
              <th scope="col" title="Largest absolute difference">
                Max abs
              </th>
              <th scope="col" title="Largest relative difference">
                Max rel
              </th>
              <th scope="col" title="Largest difference in units in the last place: codes between the two values">
                Max ULP
              </th>
              <th scope="col">Differ</th>
            </tr>
          </thead>
          <tbody>
            {outputs.map((o) => (
              <OutputRow key={o.unfused} output={o} />
            ))}
          </tbody>
        </Table>
      </ScrollX>
      {rest > 0 && (
        <p className={css.muted}>
          and {rest.toLocaleString('en-US')} more, of which{' '}
          {(differing.length - outputs.length).toLocaleString('en-US')} differ
        </p>
      )}
      {outputs.map((o) => (
        <OutputDetail key={o.unfused} output={o} />
      ))}
    </section>
  )
}

function OutputRow({ output: o }: { output: OutputReport }) {
  return (
    <tr>
      <td className={css.mono} title={`${o.unfused} → ${o.fused}`}>
        {shapeOf(o)}
      </td>
      <td>{error(o.pair.maxAbs)}</td>
      <td>{error(o.pair.maxRel)}</td>
      <td>{ulps(o.pair.maxSteps)}</td>
      <td title={share(o.pair)}>
        {o.pair.equal ? (
          `no ${codesOf(o)}`
        ) : (
          <>
            {o.pair.differing.toLocaleString('en-US')}
            <span className={cx(runStyles.unit, runStyles.of)}>
              {' '}
              of {o.pair.elements.toLocaleString('en-US')} {codesOf(o)}
            </span>
          </>
        )}
      </td>
    </tr>
  )
}

function OutputDetail({ output: o }: { output: OutputReport }) {
  const against: [string, Comparison | null][] = [
    ['Unfused against the reference', o.unfusedAgainstReference],
    ['Fused against the reference', o.fusedAgainstReference],
  ]
  const known = against.filter((a): a is [string, Comparison] => a[1] !== null)
  if (o.pair.first.length === 0 && known.length === 0) return null
  return (
    <details>
      <SectionTitle as="summary">
        <span className={css.mono}>{o.unfused}</span>:{' '}
        {o.pair.first.length > 0 ? 'size and first position of the differences' : 'against the reference'}
      </SectionTitle>
      {!o.pair.equal && <Histogram pair={o.pair} unit={codesOf(o)} />}
      {o.pair.first.length > 0 && (
        <Table variant="figures">
          <thead>
            <tr>
              <th scope="col">Index</th>
              <th scope="col">Unfused</th>
              <th scope="col">Fused</th>
              <th scope="col">Reference</th>
            </tr>
          </thead>
          <tbody>
            {o.pair.first.map((d) => (
              <tr key={d.index.join()}>
                <td className={css.mono}>[{d.index.join(', ')}]</td>
                <td>{d.a}</td>
                <td>{d.b}</td>
                <td>{d.reference ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {known.map(([name, c]) => (
        <p key={name} className={css.muted}>
          {name}: {c.equal ? 'equal' : `${share(c)} differ, max abs ${error(c.maxAbs)}`}
        </p>
      ))}
    </details>
  )
}

/** A side with its label. */
type NamedSide = [string, SideReport]

function Times({ report }: { report: RunReport }) {
  const { unfused, fused, timing } = report
  if (!unfused || !fused) return null
  const sides: NamedSide[] = [
    ['Unfused', unfused],
    ['Fused', fused],
  ]
  return (
    <section aria-label="Times" data-testid="run-times">
      {timing && (
        <p>
          <strong>{figures(timing.speedup)}×</strong> {timing.speedup >= 1 ? 'faster' : 'the speed'} fused; the bytes
          alone allow {figures(timing.bytesRatio)}×.
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

/** @param withCopy adds the share of a plain copy's bandwidth */
function TimeTable({ sides, withCopy }: { sides: readonly NamedSide[]; withCopy: boolean }) {
  return (
    <ScrollX>
      <Table variant="figures">
        <thead>
          <tr>
            <th scope="col" />
            <th scope="col">Median</th>
            <th scope="col">Spread</th>
            <th scope="col">Launches</th>
            <th scope="col">Bytes</th>
            <th scope="col">GB/s</th>
            {withCopy && (
              <th scope="col" title="Share of the bandwidth of a plain copy, timed in the same run">
                Of copy
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {sides.map(([name, s]) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{s.time ? time(s.time.median) : '–'}</td>
              <td>{s.time ? spread(s.time) : '–'}</td>
              <td>{s.launches}</td>
              <td
                title={`${s.bytesRead.toLocaleString('en-US')} read, ${s.bytesWritten.toLocaleString('en-US')} written`}
              >
                {bytes(s.bytesRead + s.bytesWritten)}
              </td>
              <td>{s.gbps === null ? '–' : figures(s.gbps)}</td>
              {withCopy && <td>{s.copyShare == null ? '–' : `${Math.round(s.copyShare * 100)} %`}</td>}
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollX>
  )
}
