/** The registration tree: pass → class → axes → leaf, each with its number of matches. */
import { useEffect, useMemo, useRef } from 'react'
import type { Report, TreeNode } from '../../../engine/protocol'
import { entryKey, markOf } from '../../../engine/queries/report_index'
import { filtered, foldedAtFirst, isFiltering, rowsOf, type TreeRow } from './tree_rows'
import { separatorOf } from './siblings'
import { PatternBadge } from '../../ui/PatternBadge'
import { useSelectionHighlight } from '../../on_screen/use_highlight'
import { usePatterns } from './store'
import { useView } from '../../session/view_store'
import { useVerdicts, VerdictMark } from '../run/VariantTable'
import { ClassSummary } from './ClassSummary'
import { TreeTools } from './TreeTools'
import { showInPanel } from '../../ui/scroll'
import { useTree, type TreeItemProps } from '../../commands/tree_keys'
import { css, cx } from '../../ui/css'
import styles from './RegistrationTree.module.css'
import { Chevron } from '../../ui/Row'
import rowStyles from '../../ui/Row.module.css'

/** Maximum number of classes with a summary; more would push the tree off the screen. */
const SENTENCES = 4
/** Minimum number of leaves for a filter. */
const FILTERED_FROM = 12

export function RegistrationTree({ report }: { report: Report }) {
  const folds = usePatterns((s) => s.folds)
  const filter = usePatterns((s) => s.filter)
  const alone = !useSelectionHighlight().entry
  const total = report.tree.reduce((n, t) => n + t.leaves, 0)
  const tree = useMemo(() => (total < FILTERED_FROM ? report.tree : filtered(report, filter)), [report, filter, total])
  const folded = useMemo(() => (isFiltering(filter) ? () => false : foldedAtFirst(report.tree)), [report.tree, filter])
  const rows = useMemo(() => rowsOf(tree, folds, folded), [tree, folds, folded])

  const toggle = ({ key, open }: TreeRow): void =>
    usePatterns.setState({ folds: new Map(folds).set(key, open === true) })
  const choose = (row: TreeRow): void => {
    const { pass, entry } = row.node
    if (entry !== undefined) useView.getState().select({ kind: 'entry', pass, index: entry })
    else toggle(row)
  }
  const { tree: attributes, item } = useTree(rows, { choose, toggle })
  const sentences = sentencesOf(report.tree)
  return (
    <div data-testid="tree">
      {sentences.slice(0, SENTENCES).map((n, i) => (
        <ClassSummary key={i} report={report} node={n} />
      ))}
      {total >= FILTERED_FROM && (
        <TreeTools tree={report.tree} rows={rows} total={total} shown={tree.reduce((n, t) => n + t.leaves, 0)} />
      )}
      <ul {...attributes} className={styles.tree} data-alone={alone || undefined} aria-label="Registrations">
        {rows.map((row) => (
          <Row key={row.id} report={report} row={row} item={item(row)} />
        ))}
      </ul>
    </div>
  )
}

interface RowProps {
  report: Report
  row: TreeRow
  item: TreeItemProps
}

function Row({ report, row, item }: RowProps) {
  const { node } = row
  const { entry } = node
  const leaf = entry !== undefined
  const chosen = useSelectionHighlight().entry
  const verdict = useVerdicts()[leaf ? entryKey(node.pass, entry) : '']
  const separator = useMemo(() => separatorOf(report, node), [report, node])
  const selected = leaf && chosen?.pass.name === node.pass && chosen.entry.index === entry
  const { setHover } = useView.getState()
  const ref = useRef<HTMLLIElement>(null)
  // The tree is shorter while a leaf is shown below it.
  useEffect(() => {
    if (selected) showInPanel(ref.current)
  }, [selected])
  return (
    <li
      ref={ref}
      {...item}
      aria-selected={selected}
      data-testid={leaf ? 'tree-leaf' : undefined}
      data-fired={node.fired}
      className={cx(rowStyles.row, styles.row)}
      data-selected={selected || undefined}
      data-silent={node.fired === 0 || undefined}
      style={{ paddingLeft: 6 + row.depth * 12 }}
      onMouseEnter={() => leaf && setHover({ kind: 'entry', pass: node.pass, index: entry })}
      onMouseLeave={() => setHover(null)}
    >
      {leaf ? (
        <PatternBadge mark={markOf(report, node.pass, entry)} hollow={node.fired === 0} />
      ) : (
        <Chevron open={row.open === true} />
      )}
      <span className={cx(css.ellipsis, node.axis ? cx(css.mono, styles.axis) : styles.label)} title={node.label}>
        {node.label}
      </span>
      {separator && (
        <span className={cx(styles.separator, css.ellipsis, css.mono)} title={`In the pattern: ${separator}`}>
          {separator}
        </span>
      )}
      {verdict && <VerdictMark verdict={verdict} />}
      <span className={css.num}>{leafCount(node)}</span>
    </li>
  )
}

/** One summary per class with variants; for passes without such a class, one per pass. */
function sentencesOf(tree: readonly TreeNode[]): TreeNode[] {
  const classes = tree.flatMap((pass) => pass.children.filter((c) => c.leaves > 1))
  return classes.length > 0 ? classes : [...tree]
}

const leafCount = (n: TreeNode): string => (n.fired > 0 ? `${n.fired}` : n.kind === 'leaf' ? '0' : `0 of ${n.leaves}`)
