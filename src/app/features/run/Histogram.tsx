/** Histogram of elements by difference in codes. */
import type { Comparison } from '../../../gpu/types'
import { error } from './run_text'
import { Table } from '../../ui/Table'
import styles from './Histogram.module.css'
import css from '../../ui/text.module.css'

export function Histogram({ pair, unit }: { pair: Comparison; unit: 'codes' | 'values' }) {
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
