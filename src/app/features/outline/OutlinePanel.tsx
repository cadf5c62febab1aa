/** The outline: the repeated parts of the graph, with matches, near misses and differences of each instance. */
import { useMemo, useState } from 'react'
import { count } from '../../../base/english'
import type { GroupBy } from '../../../workspace/types'
import { missesOn } from '../../on_screen/canvas_view'
import { NOTHING } from '../../report/highlight'
import { useExplained } from '../../on_screen/explained'
import { indexOf, positions } from '../../../engine/queries/report_index'
import { graphOfSide, useRun } from '../../session/run_store'
import { Button } from '../../ui/Button'
import { Select } from '../../ui/Field'
import { EmptyState } from '../../ui/Messages'
import { Chevron } from '../../ui/Row'
import { useTree, type TreeItemProps } from '../../commands/tree_keys'
import { css, cx } from '../../ui/css'
import type { Grouping } from '../../fold/types'
import { useFoldState, useOpen } from '../../on_screen/fold/folded'
import { fold, foldAll, groupBy, openAll, openInstances } from '../../on_screen/fold/folding'
import { criteriaFor, emptyText } from './group_by'
import { countsOf, outlineRows, type OutlineRow } from './outline_rows'
import rowStyles from '../../ui/Row.module.css'
import styles from './OutlinePanel.module.css'

export function OutlinePanel() {
  const now = useOpen()
  const { by } = useFoldState()
  return (
    <div data-testid="outline">
      <div className={cx(css.row, css.wraps, css.pad)}>
        <GroupByPicker by={by} />
        <Button disabled={!now} onClick={openAll}>
          Open all
        </Button>
        <Button disabled={!now} onClick={foldAll}>
          Fold all
        </Button>
      </div>
      {now ? <OutlineTree key={by} {...now} /> : <EmptyState>{emptyText(by)}</EmptyState>}
    </div>
  )
}

function GroupByPicker({ by }: { by: GroupBy }) {
  const graph = useRun((s) => graphOfSide(s, 'before'))
  const report = useRun((s) => s.result.value)
  const criteria = useMemo(() => criteriaFor(graph, report, by), [graph, report, by])
  return (
    <>
      <label htmlFor="group-by">Group by</label>
      <Select
        id="group-by"
        className={styles.by}
        data-testid="group-by"
        value={by}
        onValue={(value) => groupBy(value as GroupBy)}
      >
        {criteria.map((c) => (
          <option key={c.by} value={c.by} disabled={c.disabled}>
            {c.label}
          </option>
        ))}
      </Select>
    </>
  )
}

function OutlineTree({ grouping, open }: { grouping: Grouping; open: ReadonlySet<string> }) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => outlineRows(grouping, toggled), [grouping, toggled])
  const { matches, misses } = useCounts(grouping)
  const toggle = ({ id }: OutlineRow): void => {
    const next = new Set(toggled)
    if (!next.delete(id)) next.add(id)
    setToggled(next)
  }
  const choose = (row: OutlineRow): void =>
    row.instances.length === 1 ? openInstances('before', row.instances) : toggle(row)
  const back = ({ instances }: OutlineRow): void => instances.forEach(fold)
  const { tree, item } = useTree(rows, { choose, toggle, back })
  return (
    <ul {...tree} aria-label="Outline of the graph">
      {rows.map((row) => (
        <Row
          key={row.id}
          {...{ row, toggle }}
          item={item(row)}
          matches={row.instances.reduce((n, i) => n + matches[i]!, 0)}
          misses={row.instances.reduce((n, i) => n + misses[i]!, 0)}
          open={row.instances.length === 1 && open.has(row.id)}
        />
      ))}
    </ul>
  )
}

interface RowProps {
  row: OutlineRow
  item: TreeItemProps
  matches: number
  misses: number
  /** True if it is drawn open. */
  open: boolean
  toggle(row: OutlineRow): void
}

function Row({ row, item, matches, misses, open, toggle }: RowProps) {
  const unfolds = row.open !== null
  return (
    <li
      {...item}
      aria-selected={open}
      className={cx(rowStyles.row, styles.row)}
      style={{ paddingLeft: 6 + row.depth * 14 }}
    >
      <span
        className={cx(css.fixed, !unfolds && styles.leaf)}
        onClick={(e) => {
          if (!unfolds) return
          e.stopPropagation()
          toggle(row)
        }}
      >
        <Chevron open={row.open === true} />
      </span>
      <span className={cx(css.fixed, open && styles.open)}>{row.label}</span>
      {row.differs !== null && (
        <span className={cx(styles.differs, css.ellipsis)} title={row.differs}>
          {row.differs}
        </span>
      )}
      <span className={cx(styles.counts, css.num)}>
        {misses > 0 && <span className={css.muted}>{count(misses, 'near miss', 'near misses')}</span>}
        {matches > 0 && <span>{count(matches, 'match', 'matches')}</span>}
      </span>
    </li>
  )
}

/** Matches and outlined near misses by instance. */
function useCounts(grouping: Grouping): { matches: Int32Array; misses: Int32Array } {
  const report = useRun((s) => s.result.value)
  const graph = useRun((s) => graphOfSide(s, 'before'))
  const explained = useExplained().report
  return useMemo(() => {
    const at = graph ? positions(graph) : new Map<string, number>()
    const firstOf = (groups: readonly { nodes: readonly string[] }[]): (number | undefined)[] =>
      groups.map(({ nodes }) => at.get(nodes[0]!))
    const matches = report ? indexOf(report).matches.map((m) => m.match) : []
    const misses = graph ? missesOn(explained, report, graph, 'before', NOTHING).groups : []
    return { matches: countsOf(grouping, firstOf(matches)), misses: countsOf(grouping, firstOf(misses)) }
  }, [grouping, report, graph, explained])
}
