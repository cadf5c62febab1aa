/** One row for each input: its name, its shape, its dtype, and the guess for it. */
import { useEffect, useRef, useState } from 'react'
import type { Report, ShapeRow } from '../../../engine/protocol'
import { annotationOf, DTYPE_CHOICES, partsOf } from '../../../engine/shapes/typed_text'
import { DEFAULT_ENVIRONMENT } from '../../../workspace/types'
import { useWorkspace } from '../../session/workspace_store'
import { Badge } from '../../ui/Badge'
import { LinkButton } from '../../ui/Button'
import { Input, Select } from '../../ui/Field'
import { NodeLink } from '../../ui/NodeLink'
import { Table } from '../../ui/Table'
import { giveShape, neededRows } from './shapes'
import css from '../../ui/text.module.css'
import styles from './ShapesTable.module.css'

const DTYPE_OF_MODEL = { bfloat16: 'bf16', float16: 'f16', float32: 'f32' } as const

export function ShapesTable({ report }: { report: Report }) {
  const given = useWorkspace((s) => s.workspace.inputShapes)
  const dtype = useWorkspace((s) => (s.workspace.environment ?? DEFAULT_ENVIRONMENT).dtype)
  const ref = useRef<HTMLDivElement>(null)
  const { rows } = report.shapes!
  const needed = neededRows(report)
  useEffect(() => {
    const fields = [...(ref.current?.querySelectorAll('input') ?? [])]
    ;(fields.find((f) => f.value === '') ?? fields[0])?.focus()
  }, [])
  return (
    <div className={styles.scroll} ref={ref}>
      <Table variant="grid" className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Input</th>
            <th scope="col">Shape</th>
            <th scope="col">dtype</th>
            <th scope="col">Guess</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.name}
              row={row}
              given={given?.[row.name] ?? null}
              dtype={DTYPE_OF_MODEL[dtype]}
              needed={needed.has(row.name)}
              move={(by) => moveFocus(ref.current, row.name, by)}
            />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function moveFocus(table: HTMLElement | null, from: string, by: 1 | -1): void {
  const fields = [...(table?.querySelectorAll('input') ?? [])]
  fields[fields.findIndex((f) => f.dataset.row === from) + by]?.focus()
}

interface RowProps {
  row: ShapeRow
  /** As in the workspace, which may be newer than the report. */
  given: string | null
  /** The model's, for a shape typed without. */
  dtype: string
  /** A place that lacks only shapes depends on it. */
  needed: boolean
  move(by: 1 | -1): void
}

function Row({ row, given, dtype, needed, move }: RowProps) {
  const guess = row.guess ? partsOf(row.guess.text) : null
  const parts = given === null ? null : partsOf(given)
  // While it is not a shape, the text stays here and the workspace keeps the last one that was.
  const [draft, setDraft] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const shownDtype = parts?.dtype ?? chosen ?? guess?.dtype ?? dtype
  const typed = draft === null ? null : annotationOf(draft, shownDtype)
  const problem = (typed && 'problem' in typed ? typed.problem : null) ?? (draft === null ? row.problem : null)
  const edit = (text: string): void => {
    setDraft(text)
    const next = annotationOf(text, shownDtype)
    if (next === null) giveShape(row.name, null)
    else if ('text' in next) giveShape(row.name, next.text)
  }
  const accept = (): boolean => {
    if (!row.guess || row.guess.text.includes('?')) return false
    setDraft(null)
    giveShape(row.name, row.guess.text)
    return true
  }
  const value = draft ?? parts?.shape ?? ''
  return (
    <tr data-testid="shape-row" data-needed={needed || undefined}>
      <th scope="row" className={css.mono}>
        <NodeLink name={row.name} />
        {row.target !== null && <div className={styles.target}>{row.target}</div>}
      </th>
      <td>
        <Input
          mono
          data-row={row.name}
          aria-label={`Shape of ${row.name}`}
          aria-invalid={problem !== null || undefined}
          placeholder={guess?.shape ?? '48, 256'}
          spellCheck={false}
          autoComplete="off"
          value={value}
          onChange={(e) => edit(e.target.value)}
          onBlur={() => typed !== null && 'text' in typed && setDraft(null)}
          onKeyDown={(e) => {
            if (e.key === 'Enter') {
              if (value === '') accept()
              move(e.shiftKey ? -1 : 1)
            } else if (e.key === 'ArrowDown') move(1)
            else if (e.key === 'ArrowUp') move(-1)
            else return
            e.preventDefault()
          }}
        />
        {problem !== null && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
      </td>
      <td>
        <Select
          mono
          aria-label={`dtype of ${row.name}`}
          value={shownDtype}
          onChange={(e) => {
            setChosen(e.target.value)
            if (parts?.dtype) giveShape(row.name, e.target.value + parts.shape)
          }}
        >
          {DTYPE_CHOICES.map((d) => (
            <option key={d}>{d}</option>
          ))}
        </Select>
      </td>
      <td>
        {row.guess && given === null && (
          <span className={styles.guess}>
            <Badge tone={row.guess.used ? 'warn' : undefined}>{row.guess.used ? 'assumed' : 'guess'}</Badge>{' '}
            <code>{row.guess.text}</code>{' '}
            {!row.guess.text.includes('?') && (
              <LinkButton aria-label={`Accept the guess for ${row.name}`} onClick={accept}>
                Accept
              </LinkButton>
            )}
            <span className={styles.source}>from {row.guess.source}</span>
          </span>
        )}
        {given !== null && <span className={css.muted}>given</span>}
        {needed && given === null && !row.guess && <span className={css.muted}>a place needs it</span>}
      </td>
    </tr>
  )
}
