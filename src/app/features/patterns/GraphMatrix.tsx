/** Table of patterns by graphs, navigable with the arrow keys; a cell opens its graph with its pattern. */
import { useMemo, useRef, useState } from 'react'
import type { Report } from '../../../engine/protocol'
import { openGraph } from '../../on_screen/shown_graph'
import { matrixOf, matrixSentence, type Matrix } from '../../report/matrix'
import { markOf } from '../../../engine/queries/report_index'
import { count } from '../../../base/english'
import { PatternBadge } from '../../ui/PatternBadge'
import { useSelectionHighlight } from '../../on_screen/use_highlight'
import { useRun } from '../../session/run_store'
import { useWorkspace } from '../../session/workspace_store'
import { css, cx } from '../../ui/css'
import styles from './GraphMatrix.module.css'
import classSummaryStyles from './ClassSummary.module.css'

type CellAt = { row: number; column: number }

export function GraphMatrix({ report }: { report: Report }) {
  const workspace = useWorkspace((s) => s.workspace)
  const known = useRun((s) => s.result.columnsKnown)
  const matrix = useMemo(() => matrixOf(report, workspace, known), [report, workspace, known])
  const chosen = useSelectionHighlight().entry
  const [over, setOver] = useState<CellAt | null>(null)
  const { rows, columns } = matrix
  const { table, focus, setFocus, onKeyDown } = useCellFocus(rows.length, columns.length)
  const open = ({ row, column }: CellAt): void => {
    const { pass, entry } = rows[row]!
    openGraph(columns[column]!.graph, { kind: 'entry', pass: pass.name, index: entry.index })
  }

  return (
    <section className={css.ruled} aria-label="Patterns by graphs" data-testid="matrix">
      <p className={classSummaryStyles.summary} data-testid="matrix-sentence">
        {matrixSentence(matrix)}
      </p>
      <div className={styles.scroll}>
        <table ref={table} role="grid" className={styles.matrix} onKeyDown={onKeyDown}>
          <MatrixHead columns={columns} />
          <tbody>
            {rows.map(({ pass, entry }, row) => (
              <tr key={`${pass.name}/${entry.index}`} data-chosen={chosen?.entry === entry || undefined}>
                <RowHead report={report} matrix={matrix} row={row} />
                {columns.map((c, column) => {
                  const at = { row, column }
                  const focusable = focus.row === row && focus.column === column
                  return (
                    <td key={c.graph} data-shown={c.shown || undefined} data-old={c.old || undefined}>
                      <MatrixCell
                        matrix={matrix}
                        at={at}
                        focusable={focusable}
                        focus={() => setFocus(at)}
                        hover={(on) => setOver(on ? at : null)}
                        open={() => open(at)}
                      />
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.cell} aria-hidden="true">
        {cellText(matrix, over ?? focus)}
      </p>
    </section>
  )
}

/** The only cell that Tab reaches; the arrow keys move it. */
function useCellFocus(rows: number, columns: number) {
  const [at, setFocus] = useState<CellAt>({ row: 0, column: 0 })
  const table = useRef<HTMLTableElement>(null)
  // An edit may have removed rows or columns.
  const focus = { row: Math.min(at.row, rows - 1), column: Math.min(at.column, columns - 1) }
  const onKeyDown = (e: React.KeyboardEvent): void => {
    const to = moved(focus, e.key, rows, columns)
    if (!to) return
    e.preventDefault()
    setFocus(to)
    table.current?.querySelector<HTMLElement>(`[data-cell="${to.row},${to.column}"]`)?.focus()
  }
  return { table, focus, setFocus, onKeyDown }
}

function MatrixHead({ columns }: { columns: Matrix['columns'] }) {
  return (
    <thead>
      <tr>
        <th scope="col">Pattern</th>
        {columns.map((c) => (
          <th key={c.graph} scope="col" data-shown={c.shown || undefined} title={c.problem ?? c.graph}>
            <span>
              {c.label}
              {c.problem && ' !'}
            </span>
          </th>
        ))}
      </tr>
    </thead>
  )
}

function RowHead({ report, matrix, row }: { report: Report; matrix: Matrix; row: number }) {
  const { pass, entry, label, short } = matrix.rows[row]!
  return (
    <th scope="row" title={`${entry.title} ${label}`}>
      <PatternBadge mark={markOf(report, pass.name, entry.index)} hollow={matrix.columns.every((c) => !c.fired[row])} />
      <span className={cx(css.ellipsis, css.mono)}>{short}</span>
    </th>
  )
}

interface CellProps {
  matrix: Matrix
  at: CellAt
  focusable: boolean
  focus(): void
  hover(on: boolean): void
  open(): void
}

/** Number of times a pattern fires in a graph. */
function MatrixCell({ matrix, at, focusable, focus, hover, open }: CellProps) {
  const { fired, unshaped } = matrix.columns[at.column]!
  const n = fired[at.row] ?? null
  const places = unshaped[at.row]!
  return (
    <button
      data-cell={`${at.row},${at.column}`}
      data-fired={n ?? ''}
      data-hit={n || undefined}
      data-unshaped={(n === 0 && places) || undefined}
      tabIndex={focusable ? 0 : -1}
      aria-label={cellText(matrix, at)}
      onFocus={focus}
      onMouseEnter={() => hover(true)}
      onMouseLeave={() => hover(false)}
      onClick={open}
    >
      {n === null ? '' : n > 0 ? n : places > 0 ? '?' : '·'}
    </button>
  )
}

function cellText({ rows, columns }: Matrix, { row, column }: CellAt): string {
  const { entry, label } = rows[row]!
  const { graph, fired, unshaped } = columns[column]!
  const n = fired[row] ?? null
  const places = unshaped[row]!
  const more = places > 0 ? `, and at ${count(places, 'place')} if the shapes allow` : ''
  const outcome = n === null ? 'not counted yet' : (n === 0 ? 'does not fire' : `fires ${count(n, 'time')}`) + more
  return `${entry.title === label ? label : `${entry.title} ${label}`} on ${graph}: ${outcome}`
}

function moved({ row, column }: CellAt, key: string, rows: number, columns: number): CellAt | null {
  switch (key) {
    case 'ArrowUp':
      return { row: Math.max(0, row - 1), column }
    case 'ArrowDown':
      return { row: Math.min(rows - 1, row + 1), column }
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) }
    case 'ArrowRight':
      return { row, column: Math.min(columns - 1, column + 1) }
    case 'Home':
      return { row, column: 0 }
    case 'End':
      return { row, column: columns - 1 }
    default:
      return null
  }
}
