/** The expressions of a pattern as a tree in words. Hovering or focusing one highlights it everywhere. */
import { useEffect, useRef, type RefObject } from 'react'
import { count, thousands } from '../../../../base/english'
import type { ExplainedExpression, ExplainedStage } from '../../../../engine/protocol'
import { useView } from '../../../session/view_store'
import { Breakable } from '../../../ui/Breakable'
import { MessageText } from '../../../ui/MessageText'
import { Chevron } from '../../../ui/Row'
import { showInPanel } from '../../../ui/scroll'
import { css, cx } from '../../../ui/css'
import { useTree, type TreeItemProps } from '../../../commands/tree_keys'
import type { TermId } from '../../../../engine/lessons/glossary'
import { Term } from '../../lessons/Term'
import { expressionRows, type ExpressionRow } from './expression_rows'
import styles from './ExpressionTree.module.css'
import { useExplain } from '../../../on_screen/explain/store'

interface Props {
  stage: ExplainedStage
  label: string
  lit: ReadonlySet<number>
  selected: ReadonlySet<number>
  select(index: number): void
  hover(index: number | null): void
}

export function ExpressionTree({ stage, label, lit, selected, select, hover }: Props) {
  const folded = useExplain((s) => s.folded)
  const rows = expressionRows(stage, folded)
  const toggle = (index: number): void => {
    const next = new Set(folded)
    if (!next.delete(index)) next.add(index)
    useExplain.setState({ folded: next })
  }
  const { tree, item } = useTree(rows, { choose: ({ id }) => select(id), toggle: ({ id }) => toggle(id) })
  return (
    <ul
      {...tree}
      aria-label={label}
      className={css.topped}
      data-testid="expressions"
      onMouseLeave={() => hover(null)}
      onBlur={() => hover(null)}
    >
      {rows.map((row) => (
        <Expression
          key={row.id}
          row={row}
          lit={lit.has(row.id)}
          selected={selected.has(row.id)}
          item={item(row)}
          toggle={toggle}
          hover={hover}
        />
      ))}
    </ul>
  )
}

interface ExpressionProps extends Pick<Props, 'hover'> {
  row: ExpressionRow
  item: TreeItemProps
  lit: boolean
  selected: boolean
  toggle(index: number): void
}

function Expression({ row, item, lit, selected, toggle, hover }: ExpressionProps) {
  const { expression: e, open } = row
  const ref = useRef<HTMLLIElement>(null)
  useShown(ref, lit, selected)
  const { index } = e
  return (
    <li
      ref={ref}
      {...item}
      aria-selected={selected}
      className={styles.item}
      data-lit={lit || undefined}
      data-selected={selected || undefined}
      data-none={e.alone === 0 || undefined}
      style={{ '--depth': e.depth } as React.CSSProperties}
      onMouseEnter={() => hover(index)}
      onFocus={() => hover(index)}
    >
      <div className={styles.head}>
        <Fold open={open} toggle={() => toggle(index)} />
        {e.where !== null && <span className={cx(css.tiny, css.muted)}>{e.where}</span>}
        <Label expression={e} />
        <Count expression={e} />
      </div>
      <p className={styles.sentence}>
        <MessageText message={e.parts} /> <Stage expression={e} />
      </p>
      {selected && <Detail expression={e} />}
    </li>
  )
}

/** Scrolls to an expression that is highlighted from elsewhere. */
function useShown(item: RefObject<HTMLElement | null>, lit: boolean, selected: boolean): void {
  const fromPanel = useView((s) => s.from === 'panel')
  useEffect(() => {
    if ((selected && !fromPanel) || (lit && !item.current?.closest('[role=tree]')?.matches(':hover, :focus-within')))
      showInPanel(item.current)
  }, [item, lit, selected, fromPanel])
}

/** Not a button: the tree's arrow keys fold. */
function Fold({ open, toggle }: { open: boolean | null; toggle(): void }) {
  if (open === null) return <span className={styles.fold} />
  return (
    <span
      className={styles.fold}
      aria-hidden="true"
      onClick={(e) => {
        e.stopPropagation()
        toggle()
      }}
    >
      <Chevron open={open} />
    </span>
  )
}

const KIND_TERMS: Readonly<Record<string, TermId>> = { KeywordArg: 'keywordArg', Ignored: 'ignored' }

function Label({ expression: { kind, label } }: { expression: ExplainedExpression }) {
  const term = KIND_TERMS[kind]
  if (!term)
    return (
      <code className={cx(styles.label, css.spring, css.breaks)}>
        <Breakable text={label} />
      </code>
    )
  return (
    <code className={cx(styles.label, css.spring, css.breaks)}>
      <Term id={term} quiet>
        {kind}
      </Term>
      {label.slice(kind.length)}
    </code>
  )
}

function Count({ expression: { alone, whole, values } }: { expression: ExplainedExpression }) {
  if (values)
    return (
      <span className={css.num} title={`${count(values.equal, 'node')} of ${thousands(values.of)} have this value`}>
        {thousands(values.equal)} of {thousands(values.of)}
      </span>
    )
  if (alone === undefined) return null
  const title =
    whole === undefined
      ? `${count(alone, 'node')} of the graph pass`
      : `${count(alone, 'node')} of the graph pass alone, ${thousands(whole)} with all arguments`
  return (
    <span className={css.num} title={title} data-testid="expression-count">
      {whole === undefined || whole === alone ? thousands(alone) : `${thousands(whole)} of ${thousands(alone)}`}
    </span>
  )
}

const STAGES = {
  one: { term: 'stageOne', text: 'stage one' },
  two: { term: 'stageTwo', text: 'stage two' },
  both: { term: 'stageTwo', text: 'both stages' },
} as const

function Stage({ expression: { comparedIn, same } }: { expression: ExplainedExpression }) {
  if (same !== null) return null
  const { term, text } = STAGES[comparedIn]
  return (
    <Term id={term} quiet className={cx(css.tiny, css.nowrap)}>
      {text}
    </Term>
  )
}

/** The checks with their counts, the stages and further facts of the selected expression. */
function Detail({ expression: { checks = [], stages, notes, nodesLeftOut } }: { expression: ExplainedExpression }) {
  return (
    <div className={styles.detail}>
      {checks.length > 0 && (
        <ol className={styles.checks}>
          {checks.map((c) => (
            <li key={c.check} data-none={c.count === 0 || undefined}>
              {c.text}
            </li>
          ))}
        </ol>
      )}
      {[stages, ...notes].map((note) => (
        <p key={note}>{note}</p>
      ))}
      {nodesLeftOut !== undefined && <p>{count(nodesLeftOut, 'more node')} are not highlighted.</p>}
    </div>
  )
}
