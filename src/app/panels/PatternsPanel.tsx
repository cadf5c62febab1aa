/** The registration tree: pass → class → axes → leaf, with how often each fired; one leaf in detail, or two compared. */
import { useMemo, useRef, useState } from 'react'
import type { EntryReport, PassReport, Report, TreeNode } from '../../engine/protocol'
import { entryKey, markOf, passNamed } from '../model/report_index'
import { rowsOf, treeKey, type TreeRow } from '../model/tree_rows'
import { variantsSentence } from '../model/verdict'
import { useRun } from '../stores/run'
import { useView } from '../stores/view'
import { useSelectionHighlight } from '../stores/highlights'
import { PatternBadge } from '../shell/PatternBadge'
import { Icon } from '../shell/icons'
import { CompareLeaves } from './CompareLeaves'
import { LeafDetail } from './LeafDetail'
import { useVerdicts, VerdictMark } from './run/VariantTable'
import { EnvironmentSection } from './environment/EnvironmentSection'

export function PatternsPanel() {
  const report = useRun((s) => s.report)
  const summary = useRun((s) => s.summary)
  if (!report) return <p className="empty">The patterns that your code registers appear here as a tree.</p>
  if (summary) return <p className="empty">The tree of patterns is drawn once this link’s code has run here.</p>
  return (
    <>
      <EnvironmentSection report={report} />
      {report.tree.length === 0 ? (
        <p className="empty">No pattern was registered. Call register_replacement with a PatternMatcherPass.</p>
      ) : (
        <Tree report={report} />
      )}
    </>
  )
}

function Tree({ report }: { report: Report }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [at, setAt] = useState('0')
  const [pinned, setPinned] = useState<{ pass: string; entry: number } | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const rows = useMemo(() => rowsOf(report.tree, closed), [report.tree, closed])
  const h = useSelectionHighlight()
  const verdicts = useVerdicts()
  const chosen = h.entry
  const other = pinned && entryAt(report, pinned.pass, pinned.entry)
  const { select, setHover } = useView.getState()

  const fold = (id: string, open: boolean): void => {
    const next = new Set(closed)
    if (open) next.delete(id)
    else next.add(id)
    setClosed(next)
  }
  const go = (id: string): void => {
    setAt(id)
    list.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus()
  }
  const choose = (row: TreeRow): void => {
    setAt(row.id)
    if (row.node.entry !== undefined) select({ kind: 'entry', pass: row.node.pass, index: row.node.entry })
    else fold(row.id, !row.open)
  }

  const focusable = rows.some((r) => r.id === at) ? at : '0'
  return (
    <div className="patterns">
      <div className="tree-wrap" data-testid="tree">
        {sentencesOf(report.tree).map((n, i) => (
          <p key={i} className="tree-sentence">
            <strong>{n.label}.</strong> {variantsSentence(n)}.
          </p>
        ))}
        <ul
          ref={list}
          className="tree"
          role="tree"
          aria-label="Registrations"
          onKeyDown={(e) => {
            const row = rows.find((r) => r.id === at)
            if (e.key === 'Enter' || e.key === ' ') {
              if (row) choose(row)
              e.preventDefault()
              return
            }
            const move = treeKey(rows, at, e.key)
            if (!move) return
            e.preventDefault()
            if ('go' in move) go(move.go)
            else if ('open' in move) fold(move.open, true)
            else fold(move.close, false)
          }}
        >
          {rows.map((row) => {
            const { node } = row
            const entry = node.entry
            const leaf = entry !== undefined
            const selected = leaf && chosen?.pass.name === node.pass && chosen.entry.index === entry
            return (
              <li
                key={row.id}
                data-row={row.id}
                role="treeitem"
                aria-level={row.depth + 1}
                aria-selected={selected}
                {...(leaf ? {} : { 'aria-expanded': row.open })}
                data-testid={leaf ? 'tree-leaf' : undefined}
                data-fired={node.fired}
                tabIndex={row.id === focusable ? 0 : -1}
                className={`row tree-row ${selected ? 'selected' : ''} ${node.fired === 0 ? 'silent' : ''}`}
                style={{ paddingLeft: 6 + row.depth * 12 }}
                onClick={() => choose(row)}
                onMouseEnter={() => leaf && setHover({ kind: 'entry', pass: node.pass, index: entry })}
                onMouseLeave={() => setHover(null)}
              >
                {leaf ? (
                  <PatternBadge mark={markOf(report, node.pass, entry)} hollow={node.fired === 0} />
                ) : (
                  <span className={`twisty ${row.open ? 'open' : ''}`}>
                    <Icon name="chevron" size={12} />
                  </span>
                )}
                <span className={`ellipsis ${node.kind === 'axis' || (leaf && node.axis) ? 'mono' : ''}`}>
                  {node.label}
                </span>
                {leaf && verdicts[entryKey(node.pass, entry)] && (
                  <VerdictMark verdict={verdicts[entryKey(node.pass, entry)]!} />
                )}
                <span className="num">{leafCount(node)}</span>
              </li>
            )
          })}
        </ul>
      </div>
      {other && chosen && other.entry !== chosen.entry ? (
        <CompareLeaves report={report} left={other} right={chosen} close={() => setPinned(null)} />
      ) : chosen ? (
        <LeafDetail
          report={report}
          pass={chosen.pass}
          entry={chosen.entry}
          pinned={other?.entry === chosen.entry}
          pin={() =>
            setPinned(other?.entry === chosen.entry ? null : { pass: chosen.pass.name, entry: chosen.entry.index })
          }
        />
      ) : (
        <p className="empty">Choose a leaf to see its pattern and its replacement.</p>
      )}
    </div>
  )
}

/** One sentence a class with variants; of passes that hold none, one a pass. */
function sentencesOf(tree: readonly TreeNode[]): TreeNode[] {
  const classes = tree.flatMap((pass) => pass.children.filter((c) => c.leaves > 1))
  return classes.length > 0 ? classes : [...tree]
}

const leafCount = (n: TreeNode): string => (n.fired > 0 ? `${n.fired}` : n.kind === 'leaf' ? '0' : `0 of ${n.leaves}`)

function entryAt(report: Report, pass: string, index: number): { pass: PassReport; entry: EntryReport } | null {
  const p = passNamed(report, pass)
  const entry = p?.entries.find((e) => e.index === index)
  return p && entry ? { pass: p, entry } : null
}
