/** The table of passes by graphs: matches in each cell, changes, and a sentence per failure. */
import { useMemo, useState } from 'react'
import { count } from '../../../base/english'
import { changeText, tableRows } from '../../../engine/table/table'
import type { TableCell, TableChange, TableRow } from '../../../engine/protocol'
import { LinkButton } from '../../ui/Button'
import { css, cx } from '../../ui/css'
import { timeText } from '../../ui/KeptList'
import { notesOf, type FolderNote } from './table_notes'
import { useTable, type TableFolder, type TableGraph, type TableState } from './table_store'
import styles from './ResultTable.module.css'
import { withGraphs } from '../../../workspace/graphs'
import { openOwn } from '../../session/open_workspace'
import { closeOverlay, toastUndo } from '../../session/view_store'

/** Opens a cell of the table: its graph with its folder, at the matches of the pass or at its near misses. */
function openCell(
  { draft, name }: TableFolder,
  pass: string | null,
  graph: TableGraph,
  { count }: { count: number | null },
): void {
  closeOverlay()
  const undo = openOwn({
    workspace: withGraphs({ ...draft.workspace, name }, [{ ...graph.file, name: graph.name }], 0),
    foreign: draft.foreign,
    view: {
      panel: count ? 'matches' : 'whynot',
      selection: pass === null ? null : { kind: 'entry', pass, index: 0 },
    },
  })
  toastUndo(`${name} on ${graph.name} is open.`, undo)
}

type Shown = Pick<TableState, 'graphs' | 'folders' | 'results' | 'changes' | 'since'>

export function ResultTable() {
  const { graphs, folders, results, changes, since } = useTable()
  const rows = useMemo(() => tableRows(results), [results])
  if (graphs.length === 0 || folders.length === 0) return null
  return (
    <section className={cx(css.stack, css.low)} aria-label="Passes by graphs" data-testid="pattern-table">
      <Changes changes={changes} since={since} graphs={graphs} folders={folders} />
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Table of passes by graphs">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Pass</th>
              {graphs.map((g) => (
                <th key={g.key} scope="col" title={g.name}>
                  <span>{g.name}</span>
                </th>
              ))}
            </tr>
          </thead>
          {folders.map((f) => (
            <FolderRows key={f.id} folder={f} rows={rows.filter((r) => r.folder === f.id)} {...{ graphs, changes }} />
          ))}
        </table>
      </div>
      <Notes notes={notesOf(folders, graphs, results)} />
    </section>
  )
}

interface FolderRowsProps {
  folder: TableFolder
  rows: readonly TableRow[]
  graphs: readonly TableGraph[]
  changes: Shown['changes']
}

function FolderRows({ folder, rows, graphs, changes }: FolderRowsProps) {
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" className={styles.folder} colSpan={graphs.length + 1}>
          <span>{folder.name}</span>
        </th>
      </tr>
      {rows.map((row) => (
        <tr key={row.pass ?? ''}>
          <th scope="row" title={row.pass === null ? undefined : `${row.pass}: ${count(row.patterns, 'pattern')}`}>
            <span className={cx(css.mono, css.ellipsis, styles.pass)}>{row.pass ?? 'no pass'}</span>
          </th>
          {row.cells.map((cell, i) => (
            <td key={graphs[i]!.key}>
              {cell && (
                <Cell
                  cell={cell}
                  where={`${row.pass ?? folder.name} on ${graphs[i]!.name}`}
                  change={changes?.find(
                    (c) => c.folder === folder.id && c.pass === row.pass && c.graph === graphs[i]!.key,
                  )}
                  open={() => openCell(folder, row.pass, graphs[i]!, cell)}
                />
              )}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

interface CellProps {
  cell: TableCell
  where: string
  change: TableChange | undefined
  open(): void
}

function Cell({ cell, where, change, open }: CellProps) {
  const { count: n, unshaped, failure } = cell
  const text = failure !== null ? '!' : n === null ? '✓' : n > 0 ? n : unshaped > 0 ? '?' : '·'
  const outcome =
    failure ??
    (n === null
      ? 'ran, and reports no count'
      : count(n, 'match', 'matches') + (unshaped > 0 ? `, and ${count(unshaped, 'place')} if the shapes allow` : ''))
  const since = change ? ` (${changeText(change)})` : ''
  return (
    <button
      className={styles.cell}
      data-hit={(n ?? 0) > 0 || undefined}
      data-failed={failure !== null || undefined}
      data-changed={change?.kind}
      aria-label={`${where}: ${outcome}${since}`}
      title={`${where}: ${outcome}${since}`}
      onClick={open}
    >
      {text}
      {change?.kind === 'count' && <small>{changeText(change)}</small>}
    </button>
  )
}

function Changes({ changes, since, graphs, folders }: Omit<Shown, 'results'>) {
  const [all, setAll] = useState(false)
  if (changes === null) return null
  if (since.size === 0) return <p className={css.muted}>First run: the next version is compared with it.</p>
  const newest = Math.max(...since.values())
  if (changes.length === 0) return <p className={css.muted}>Nothing changed since the run of {timeText(newest)}.</p>
  const shown = all ? changes : changes.slice(0, MAX_CHANGES)
  return (
    <div data-testid="table-changes">
      <p>
        {count(changes.length, 'change')} since the run of {timeText(newest)}:
      </p>
      <ul className={cx(css.stack, css.gap1)}>
        {shown.map((c) => (
          <Change key={`${c.folder}/${c.pass}/${c.graph}`} change={c} graphs={graphs} folders={folders} />
        ))}
      </ul>
      {shown.length < changes.length && <LinkButton onClick={() => setAll(true)}>Show all</LinkButton>}
    </div>
  )
}

/** Number of changes that are listed initially. */
const MAX_CHANGES = 6

function Change({ change, graphs, folders }: { change: TableChange } & Pick<Shown, 'graphs' | 'folders'>) {
  const folder = folders.find((f) => f.id === change.folder)
  const graph = graphs.find((g) => g.key === change.graph)
  if (!folder || !graph) return null
  return (
    <li>
      <LinkButton onClick={() => openCell(folder, change.pass, graph, { count: change.after })}>
        <strong>{changeText(change)}</strong> {change.pass ?? folder.name} on {graph.name}
      </LinkButton>
    </li>
  )
}

function Notes({ notes }: { notes: readonly FolderNote[] }) {
  if (notes.length === 0) return null
  return (
    <ul className={cx(styles.notes, css.stack, css.gap1, css.small, css.breaks)} data-testid="table-notes">
      {notes.map(({ folder, text, where, failure }) => (
        <li key={`${folder}/${text}`} data-failed={failure || undefined}>
          <strong>{folder}</strong>
          {where && ` on ${where}`}: {text}
        </li>
      ))}
    </ul>
  )
}
