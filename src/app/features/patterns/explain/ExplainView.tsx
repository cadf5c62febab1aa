/** One pattern explained: the expressions that no node passes, the drawing, and the tree in words. */
import { useEffect } from 'react'
import type {
  EntryReport,
  ExplainedExpression,
  ExplainedPattern,
  ExplainedStage,
  PassReport,
  Report,
  DrawnExpression,
  GraphView,
  NodeView,
} from '../../../../engine/protocol'
import type { PlaceInFile, Selection } from '../../../../workspace/types'
import { emptyNode } from '../../../../engine/report/empty'
import { entryKey } from '../../../../engine/queries/report_index'
import { useRun } from '../../../session/run_store'
import { useView } from '../../../session/view_store'
import { useWorkspace } from '../../../session/workspace_store'
import { Select } from '../../../ui/Field'
import { MessageText } from '../../../ui/MessageText'
import { EmptyState, Notice } from '../../../ui/Messages'
import { Segmented } from '../../../ui/Segmented'
import { css, cx } from '../../../ui/css'
import { useHoverHighlight, useSelectionHighlight } from '../../../on_screen/use_highlight'
import { followSource } from '../../../on_screen/steps/store'
import { MiniGraph } from '../../../report/views/MiniGraph'
import styles from './ExplainView.module.css'
import { ExpressionTree } from './ExpressionTree'
import { litExpressions } from './expression_rows'
import { requestExplained } from './request'
import { stageOf, useExplain } from '../../../on_screen/explain/store'
import { memoizeByObject } from '../../../../base/memoize'

/** The small graph shows an input by its name, and a call by its target above its name. */
const nodeOf = ({ label, detail, kind, inputs }: DrawnExpression): NodeView => ({
  ...(kind === 'input' ? emptyNode(label, 'placeholder', label) : emptyNode(detail, 'call_function', label)),
  inputs: [...inputs],
})

/** Null for a traced pattern. */
const drawingGraph = memoizeByObject((stage: ExplainedStage): GraphView | null => {
  if (!stage.drawing) return null
  const nodes = stage.drawing.map(nodeOf)
  nodes.forEach((n, i) => n.inputs.forEach((j) => nodes[j]?.users.push(i)))
  return { nodes, problems: [] }
})

interface Entry {
  pass: PassReport
  entry: EntryReport
}

export function ExplainView({ report }: { report: Report }) {
  const chosen = useShown(report)
  const version = useRun((s) => s.result.version)
  const stage = useExplain((s) => (chosen ? stageOf(s, chosen.pass.name, chosen.entry.index) : null))
  const explained = useExplain((s) => s.explained)
  const failure = useExplain((s) => s.failure)
  const pass = chosen?.pass.name
  const index = chosen?.entry.index
  useEffect(() => {
    if (pass !== undefined && index !== undefined) void requestExplained(pass, index)
  }, [pass, index, version])
  if (!chosen) return <EmptyState>No pattern was registered.</EmptyState>
  return (
    <section
      className={cx(styles.view, css.column)}
      aria-label={`Explanation of ${chosen.entry.title}`}
      data-testid="explain-view"
    >
      <PatternPicker report={report} chosen={chosen} />
      {failure !== null && <Notice tone="warn">{failure}</Notice>}
      {stage && explained ? (
        <Stage chosen={chosen} explained={explained} stage={stage} />
      ) : (
        failure === null && <p className={css.muted}>Explaining the pattern…</p>
      )}
    </section>
  )
}

/** The selected pattern; otherwise the one explained last, or the first that fired. */
function useShown(report: Report): Entry | null {
  const selected = useSelectionHighlight().entry
  const last = useExplain((s) => s.explained)
  const all = report.passes.flatMap((pass) => pass.entries.map((entry) => ({ pass, entry })))
  const find = (pass: string, index: number): Entry | undefined =>
    all.find((e) => e.pass.name === pass && e.entry.index === index)
  if (selected) return find(selected.pass.name, selected.entry.index) ?? null
  return (last && find(last.pass, last.entry)) ?? all.find((e) => e.entry.fired > 0) ?? all[0] ?? null
}

function PatternPicker({ report, chosen }: { report: Report; chosen: Entry }) {
  const entries = report.passes.flatMap((pass) => pass.entries.map((entry) => ({ pass, entry })))
  if (entries.length < 2) return <h3 className={css.ellipsis}>{chosen.entry.title}</h3>
  return (
    <Select
      aria-label="Pattern to explain"
      className={styles.picker}
      value={entryKey(chosen.pass.name, chosen.entry.index)}
      onValue={(value) => {
        const to = entries.find(({ pass, entry }) => entryKey(pass.name, entry.index) === value)
        if (to) useView.getState().select({ kind: 'entry', pass: to.pass.name, index: to.entry.index })
      }}
      options={entries.map(({ pass, entry }) => [entryKey(pass.name, entry.index), optionText(entry)])}
    />
  )
}

function optionText({ title, bindings, axes = [] }: EntryReport): string {
  const values = axes.map((name) => `${name}=${bindings[name] ?? '?'}`)
  return values.length > 0 ? `${title} (${values.join(', ')})` : title
}

/** The Python line of an expression without a node in the traced pattern, for the selection. */
function writtenSource(e: ExplainedExpression | undefined): { source?: PlaceInFile } {
  return e?.source && e.patternNode === null ? { source: { file: e.source.file, line: e.source.line } } : {}
}

/** The highlighted and selected expressions, and functions to select and hover one. */
function useExpressions({ pass, entry }: Entry, stage: ExplainedStage) {
  const workspace = useWorkspace((s) => s.workspace)
  const selection = useView((s) => s.selection)
  const hover = useView((s) => s.hover)
  const hoverHighlight = useHoverHighlight()
  const selectionHighlight = useSelectionHighlight()
  const { setHover, select } = useView.getState()
  const of = { pass: pass.name, entry: entry.index, workspace }
  const part = (index: number): Selection => ({
    kind: 'patternNode',
    pass: pass.name,
    entry: entry.index,
    // Out of range for an expression without a node in the traced pattern.
    index: stage.expressions[index]?.patternNode ?? entry.pattern.nodes.length,
    part: index,
    ...writtenSource(stage.expressions[index]),
  })
  return {
    lit: litExpressions(stage, of, hover, hoverHighlight),
    selected: litExpressions(stage, of, selection, selectionHighlight),
    select: (index: number): void => {
      followSource(stage.expressions[index]?.source?.file)
      select(part(index))
    },
    hover: (index: number | null): void => setHover(index === null ? null : part(index)),
  }
}

function Stage({ chosen, explained, stage }: { chosen: Entry; explained: ExplainedPattern; stage: ExplainedStage }) {
  const graph = useRun((s) => s.graphRead.value)
  const { lit, selected, select, hover } = useExpressions(chosen, stage)
  const drawn = (indices: ReadonlySet<number>): Set<number> =>
    new Set([...indices].flatMap((i) => stage.expressions[i]?.drawn ?? []))
  /** The first expression drawn as this node. */
  const atDrawn = (node: number | null): number | null => {
    const index = stage.expressions.findIndex((e) => e.drawn === node)
    return index < 0 ? null : index
  }
  return (
    <>
      {explained.stages.length > 1 && <StagePicker explained={explained} stage={stage} />}
      {stage.findings.map((f) => (
        <Notice key={f.expression} tone="bad" data-testid="expression-finding">
          <span>
            <MessageText message={f.parts} graph={graph} />
          </span>
        </Notice>
      ))}
      <div className={styles.drawing}>
        <MiniGraph
          graph={drawingGraph(stage) ?? chosen.entry.pattern}
          label={`Graph of the pattern ${chosen.entry.title}`}
          selected={drawn(selected)}
          hovered={drawn(lit)}
          onSelect={(i) => select(atDrawn(i) ?? 0)}
          onHover={(i) => hover(atDrawn(i))}
        />
      </div>
      <ExpressionTree
        key={stage.title}
        stage={stage}
        label={`Expressions of ${chosen.entry.title}, ${stage.title}`}
        lit={lit}
        selected={selected}
        select={select}
        hover={hover}
      />
    </>
  )
}

function StagePicker({ explained, stage }: { explained: ExplainedPattern; stage: ExplainedStage }) {
  const show = (index: number): void => useExplain.setState({ stage: index, folded: new Set() })
  const at = explained.stages.indexOf(stage)
  // Traces with different shapes make many stages.
  if (explained.stages.length > 3)
    return (
      <Select
        aria-label="Stage"
        className={styles.stages}
        value={at}
        onValue={(value) => show(Number(value))}
        options={explained.stages.map((s, i) => [i, s.title])}
      />
    )
  return (
    <Segmented
      label="Stage"
      className={styles.stages}
      value={String(at)}
      segments={explained.stages.map((s, i) => ({ value: String(i), label: s.title }))}
      onChange={(i) => show(Number(i))}
    />
  )
}
