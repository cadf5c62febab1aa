/** The outputs of both sides compared: one row each, with the first differences. */
import type { Comparison, OutputReport } from '../../../gpu/types'
import { codesOf, error, shapeOf, share, ulps } from './run_text'
import { css, cx } from '../../ui/css'
import { SectionTitle } from '../../ui/Section'
import { FiguresTable, ScrollX, Table } from '../../ui/Table'
import runStyles from './run.module.css'
import styles from './Histogram.module.css'

/** Histogram of elements by difference in codes. */
function Histogram({ pair, unit }: { pair: Comparison; unit: 'codes' | 'values' }) {
  // Logarithmic lengths: one element in a million would be invisible otherwise.
  const length = (n: number): number => (n === 0 ? 0 : Math.log10(n + 1) / Math.log10(pair.elements + 1))
  return (
    <Table className={styles.histogram} variant="figures">
      <caption className={css.hidden}>Elements by difference of the two sides</caption>
      <thead>
        <tr>
          <th scope="col">{unit === 'codes' ? 'Codes apart' : 'Units apart'}</th>
          <th scope="col">
            <span className={css.hidden}>Share, logarithmic</span>
          </th>
          <th scope="col">Elements</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {pair.histogram.map((bin) => (
          <tr key={bin.label} data-same={bin.label === 'equal' || undefined}>
            <td>{bin.label}</td>
            <td className={styles.bar}>
              <span style={{ width: `${length(bin.count) * 100}%` }} />
            </td>
            <td>{bin.count.toLocaleString('en-US')}</td>
            <td>{pair.elements === 0 ? '–' : `${error((bin.count / pair.elements) * 100)} %`}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** The outputs that differ, largest difference first; a whole graph can have hundreds of outputs. */
const MANY = 8

const OUTPUT_COLUMNS = [
  'Output',
  ['Max abs', 'Largest absolute difference'],
  ['Max rel', 'Largest relative difference'],
  ['Max ULP', 'Largest difference in units in the last place: codes between the two values'],
  'Differ',
] as const

export function RunOutputs({ outputs: all }: { outputs: OutputReport[] }) {
  const differing = all.filter((o) => !o.pair.equal).sort((a, b) => b.pair.relNorm - a.pair.relNorm)
  const outputs = all.length <= MANY ? all : differing.slice(0, MANY)
  const rest = all.length - outputs.length
  if (outputs.length === 0) return null
  return (
    <section aria-label="Outputs compared">
      <ScrollX>
        <FiguresTable columns={OUTPUT_COLUMNS}>
          {outputs.map((o) => (
            <OutputRow key={o.unfused} output={o} />
          ))}
        </FiguresTable>
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
            <span className={cx(css.muted, runStyles.of)}>
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
        <FiguresTable columns={['Index', 'Unfused', 'Fused', 'Reference']}>
          {o.pair.first.map((d) => (
            <tr key={d.index.join()}>
              <td className={css.mono}>[{d.index.join(', ')}]</td>
              <td>{d.a}</td>
              <td>{d.b}</td>
              <td>{d.reference ?? '–'}</td>
            </tr>
          ))}
        </FiguresTable>
      )}
      {known.map(([name, c]) => (
        <p key={name} className={css.muted}>
          {name}: {c.equal ? 'equal' : `${share(c)} differ, max abs ${error(c.maxAbs)}`}
        </p>
      ))}
    </details>
  )
}
