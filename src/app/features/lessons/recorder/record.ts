/** Records a step of a lesson from the screen: workspace, selection, panel, camera, and checks that hold now. */
import type { Report } from '../../../../engine/protocol'
import type { Selection, Workspace } from '../../../../workspace/types'
import { activeEditor, cameraPlaces } from '../../../commands/surfaces'
import { useView } from '../../../session/view_store'
import { textOf, useWorkspace } from '../../../session/workspace_store'
import type { Check, LessonStep } from '../../../../engine/lessons/catalog'
import type { LessonDraft } from '../files/lesson_files'

/** The part of a workspace that a lesson keeps. */
const contentOf = ({ graph, shapes, graphs, files, passes, environment }: Workspace): string =>
  JSON.stringify([
    [graph.name, graph.text],
    shapes?.text,
    graphs?.map((g) => [g.name, g.text]),
    files.map((f) => [f.name, f.text]),
    passes,
    environment,
  ])

/** Adds a workspace to the draft unless it has it, and returns the workspace's key. */
export function withWorkspace(draft: LessonDraft, workspace: Workspace): { draft: LessonDraft; workspace: string } {
  const content = contentOf(workspace)
  const known = Object.entries(draft.workspaces).find(([, w]) => contentOf(w) === content)
  if (known) return { draft, workspace: known[0] }
  const names = Object.keys(draft.workspaces)
  // A name is never reused: edits stored under it belong to the earlier workspace.
  const last = Math.max(0, ...names.map((n) => Number(/^w(\d+)$/.exec(n)?.[1] ?? 1)))
  const name = names.length === 0 ? 'main' : `w${last + 1}`
  return { draft: { ...draft, workspaces: { ...draft.workspaces, [name]: workspace } }, workspace: name }
}

type Recorded = Pick<LessonStep, 'select' | 'mode' | 'panel' | 'open' | 'camera'>

/** The view on screen. */
export function recordedStep(): Recorded {
  const { selection, mode, panel } = useView.getState()
  const { workspace, openFile } = useWorkspace.getState()
  const [camera] = cameraPlaces()
  const at = lineAt(textOf(workspace, openFile) ?? '', activeEditor()?.topLine() ?? 1)
  return {
    ...(selection && { select: selection }),
    ...(mode !== 'before' && { mode }),
    panel,
    open: { file: openFile, ...(at !== null && { at }) },
    ...(camera && { camera }),
  }
}

/** The text of the first visible line, if it occurs once in the file; null at the top of the file. */
function lineAt(text: string, line: number): string | null {
  const found = text.split('\n')[line - 1]?.trim() ?? ''
  return line > 1 && found.length > 3 && text.split(found).length === 2 ? found : null
}

/** Maximum number of near misses offered as checks. */
const MAX_MISSES = 8
/** Maximum number of anchors in one check. */
const MAX_ANCHORS = 8

/** Facts of a report that can become checks of a step; facts about the selection come first. */
export function checksNow(report: Report, selection: Selection | null): Check[] {
  const anchors = report.passes.flatMap((p) => p.matches.map((m) => m.node))
  const misses = report.passes.flatMap((p) =>
    p.nearMisses.map((miss, index) => ({
      miss,
      selected: selection?.kind === 'nearMiss' && selection.pass === p.name && selection.index === index,
    })),
  )
  const open = misses.filter((m) => !m.miss.taken)
  const causes = [...open].sort((a, b) => Number(b.selected) - Number(a.selected)).slice(0, MAX_MISSES)
  return [
    ...(report.python ? [{ check: 'raises', says: [report.python.message] } satisfies Check] : []),
    { check: 'matches', count: report.passes.reduce((n, p) => n + p.count, 0) },
    ...(anchors.length > 0 && anchors.length <= MAX_ANCHORS
      ? [{ check: 'fires', at: anchors, only: true } satisfies Check]
      : []),
    ...causes.flatMap(({ miss }): Check[] => {
      const [cause] = miss.causes
      const [at] = miss.anchors
      return cause && at !== undefined ? [{ check: 'cause', kind: cause.kind, at }] : []
    }),
    { check: 'near-misses', count: open.length },
    ...usersOf(report, selection),
  ]
}

function usersOf(report: Report, selection: Selection | null): Check[] {
  if (selection?.kind !== 'node' || selection.side !== 'before') return []
  const node = report.graph.nodes.find((n) => n.name === selection.name)
  return node ? [{ check: 'users', node: node.name, count: node.users.length }] : []
}

const SELECTED: Record<Selection['kind'], (s: never) => string> = {
  node: ({ name }: Extract<Selection, { kind: 'node' }>) => `node ${name}`,
  match: ({ index }: Extract<Selection, { kind: 'match' }>) => `match ${index + 1}`,
  entry: ({ index }: Extract<Selection, { kind: 'entry' }>) => `pattern ${index + 1}`,
  patternNode: () => 'a node of a pattern',
  line: ({ file, line }: Extract<Selection, { kind: 'line' }>) => `${file}:${line}`,
  step: ({ node }: Extract<Selection, { kind: 'step' }>) => `a step of the match at ${node}`,
  nearMiss: ({ index }: Extract<Selection, { kind: 'nearMiss' }>) => `near miss ${index + 1}`,
}

/** "near miss 1, panel Why not, patterns.py" @param panelLabel of the step's panel */
export function shownText(step: LessonStep, panelLabel: string): string {
  return [
    step.select ? SELECTED[step.select.kind](step.select as never) : 'no selection',
    ...(step.panel ? [`panel ${panelLabel}`] : []),
    ...(step.mode ? [step.mode === 'split' ? 'both graphs' : `graph ${step.mode}`] : []),
    ...(step.open ? [step.open.file] : []),
    step.camera ? 'camera' : 'first view',
  ].join(', ')
}
