/** The meaning of the colors, signs and outlines that are on the canvas. */
import { useMemo } from 'react'
import type { OpFamily } from '../../../engine/protocol'
import type { CanvasGroup, GroupKind, Mark } from '../../canvas'
import type { DrawnGraph } from '../../fold/types'
import { CloseButton } from '../../ui/Button'
import { useLook } from '../../on_screen/look/store'
import { useFound, withFound } from '../../on_screen/find/useFound'
import type { Side } from '../../on_screen/sides'
import styles from './Legend.module.css'
import { css, cx } from '../../ui/css'

const FAMILIES: Record<OpFamily, string> = {
  input: 'input of the graph',
  matmul: 'matrix product',
  attention: 'attention',
  elementwise: 'elementwise',
  reduction: 'reduction, norm',
  cast: 'conversion of dtype',
  view: 'view: no copy',
  getitem: 'item of a tuple',
  factory: 'new tensor',
  functionalized: 'auto_functionalized',
  custom: 'custom operator',
  collective: 'collective',
  higher_order: 'higher-order operator',
  output: 'output of the graph',
  other: 'other',
}

const MARKS: Record<Mark, readonly [sign: string, meaning: string]> = {
  added: ['+', 'added by a pass'],
  removed: ['−', 'removed by a pass'],
  culprit: ['!', 'why a pattern does not match'],
  bound: ['✓', 'bound in this step'],
  violation: ['≠', 'a rewrite violates an invariant'],
  found: ['•', 'found by the query'],
}

const GROUPS: Record<GroupKind, string> = {
  match: 'match, with the letter of its pattern',
  added: 'replacement of a match',
  removed: 'removed',
  nearMiss: 'near miss',
  unshaped: 'matches if the shapes allow',
}

const KEYS = <K extends string>(of: Record<K, unknown>): K[] => Object.keys(of) as K[]

interface LegendProps {
  side: Side
  /** Null: nothing is drawn. */
  graph: DrawnGraph | null
  groups: readonly CanvasGroup[]
  marks: ReadonlyMap<string, Mark>
}

/** Hidden until its command opens it. */
export function Legend(props: LegendProps) {
  const open = useLook((s) => s.legend)
  return open && props.graph ? <OpenLegend {...props} graph={props.graph} /> : null
}

function OpenLegend({ side, graph, groups, marks }: LegendProps & { graph: DrawnGraph }) {
  const families = useMemo(
    () => new Set(graph.nodes.flatMap((n, i) => (graph.blocks.has(i) ? [] : [n.family]))),
    [graph],
  )
  const found = useFound(side)
  const signs = useMemo(() => new Set(withFound(marks, found).values()), [marks, found])
  const kinds = useMemo(() => new Set(groups.map((g) => g.kind)), [groups])
  return (
    <section className={styles.legend} aria-label="Legend" data-testid="legend">
      <CloseButton
        className={styles.close}
        size={12}
        label="Close the legend"
        onClick={() => useLook.setState({ legend: false })}
      />
      <ul className={cx(css.stack, css.gap1)}>
        <Rows families={families} signs={signs} kinds={kinds} />
      </ul>
    </section>
  )
}

interface RowsProps {
  families: ReadonlySet<OpFamily>
  signs: ReadonlySet<Mark>
  kinds: ReadonlySet<GroupKind>
}

function Rows({ families, signs, kinds }: RowsProps) {
  return (
    <>
      {KEYS(FAMILIES)
        .filter((f) => families.has(f))
        .map((f) => (
          <li key={f} className={css.row}>
            <span className={styles.family} style={{ background: `var(--fc-family-${f})` }} />
            {FAMILIES[f]}
          </li>
        ))}
      {KEYS(MARKS)
        .filter((m) => signs.has(m))
        .map((m) => (
          <li key={m} className={css.row}>
            <span className={styles.mark} style={{ color: `var(--fc-${m})` }}>
              {MARKS[m][0]}
            </span>
            {MARKS[m][1]}
          </li>
        ))}
      {KEYS(GROUPS)
        .filter((k) => kinds.has(k))
        .map((k) => (
          <li key={k} className={css.row}>
            <span className={styles.region} data-kind={k} />
            {GROUPS[k]}
          </li>
        ))}
    </>
  )
}
