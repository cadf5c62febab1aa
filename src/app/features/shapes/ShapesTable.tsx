/** One row per input: its name, its shape, its dtype, and the guessed shape. */
import { useEffect, useRef } from 'react'
import type { Report } from '../../../engine/protocol'
import { DEFAULT_ENVIRONMENT } from '../../../workspace/types'
import { useWorkspace } from '../../session/workspace_store'
import { Table } from '../../ui/Table'
import { neededRows } from './shapes'
import { ShapeRowView } from './ShapeRowView'
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
            <ShapeRowView
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
