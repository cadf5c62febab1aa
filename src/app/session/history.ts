/**
 * Undo and redo of everything that edits a workspace: texts, files, graphs, shapes, passes, the environment. Each workspace has one
 * history, kept while the page is open, so it continues after another workspace was open. The editor has its own undo for a text;
 * an undo there is undone here too.
 */
import { graphsOf } from '../../workspace/graphs'
import type { Draft } from '../../workspace/library'
import type { Workspace } from '../../workspace/types'
import { draftNow } from './autosave'
import { consentOf } from './consent'
import { questionChanged } from './question/steady'
import { useRun } from './run_store'
import { perPage } from './scope'
import type { OpenPart } from './session'
import { textOf, textsOf, useWorkspace } from './workspace_store'

/** Edits of one text with shorter pauses than this, in ms, form one step. */
const PAUSE_MS = 1000
/** Maximum duration of typing in one step, in ms. */
const LONGEST_MS = 10_000
const MAX_STEPS = 200

interface Step {
  /** The states to go back, or forward, to. */
  draft: Draft
  /** The only text in which it differs from its neighbor; null if it differs in another way. */
  file: string | null
  began: number
  ended: number
}

interface History {
  past: Step[]
  future: Step[]
  now: Draft
  /** True while a step is shown, because that is not an edit. */
  stepping: boolean
}

const histories = perPage(() => new Map<string, History>())

/** Records the edits of the open workspace. */
export const historyPart: OpenPart = () => {
  let { origin } = useWorkspace.getState()
  const opened = draftNow()
  const history = histories().get(origin) ?? { past: [], future: [], now: opened, stepping: false }
  histories().set(origin, history)
  // The workspace has changed since: it was reset, replaced by a version, or edited in another tab.
  if (!same(history.now.workspace, opened.workspace)) push(history, null)
  history.now = opened
  return {
    onEdit() {
      const id = useWorkspace.getState().origin
      if (id !== origin) {
        // The workspace was replaced by a copy of itself.
        histories().delete(origin)
        histories().set((origin = id), history)
      }
      if (!history.stepping) record(history, draftNow())
      history.now = draftNow()
    },
    onConsent() {
      history.now = draftNow()
    },
  }
}

function record(history: History, next: Draft): void {
  const { past, now } = history
  const last = past.at(-1)
  if (last && same(last.draft.workspace, next.workspace)) {
    past.pop()
    history.future.push({ ...last, draft: now })
    return
  }
  const file = editedText(now.workspace, next.workspace)
  const time = Date.now()
  history.future = []
  if (last && file !== null && last.file === file && time - last.ended < PAUSE_MS && time - last.began < LONGEST_MS)
    last.ended = time
  else push(history, file)
}

function push({ past, now }: History, file: string | null): void {
  past.push({ draft: now, file, began: Date.now(), ended: Date.now() })
  if (past.length > MAX_STEPS) past.shift()
}

const historyNow = (): History | undefined => histories().get(useWorkspace.getState().origin)

export const canUndo = (): boolean => (historyNow()?.past.length ?? 0) > 0
export const canRedo = (): boolean => (historyNow()?.future.length ?? 0) > 0

/** Undoes the last change of the open workspace. */
export const undo = (): void => step('past', 'future')
/** Repeats the change that was undone last. */
export const redo = (): void => step('future', 'past')

function step(from: 'past' | 'future', to: 'past' | 'future'): void {
  const history = historyNow()
  const next = history?.[from].pop()
  if (!history || !next) return
  history[to].push({ ...next, draft: history.now })
  history.stepping = true
  try {
    show(next)
  } finally {
    history.stepping = false
  }
}

/** Shows a state with the consent of its code. */
function show({ draft: { workspace, foreign }, file }: Step): void {
  useRun.setState({ consent: consentOf(workspace, foreign) })
  questionChanged()
  useWorkspace.setState(({ version, rewound, openFile }) => ({
    workspace,
    foreign,
    version: version + 1,
    rewound: rewound + 1,
    openFile: [file, openFile].find((f) => f !== null && textOf(workspace, f) !== null) ?? workspace.graph.name,
  }))
}

/** The name of the only text that differs; null if something else differs too. */
function editedText(a: Workspace, b: Workspace): string | null {
  const [left, right] = [textsOf(a), textsOf(b)]
  if (left.length !== right.length) return null
  const changed = left.filter((f, i) => f.text !== right[i]!.text)
  const renamed = left.some((f, i) => f.name !== right[i]!.name)
  return changed.length === 1 && !renamed && sameBesideTexts(a, b) ? changed[0]!.name : null
}

function same(a: Workspace, b: Workspace): boolean {
  if (a === b) return true
  const [left, right] = [textsOf(a), textsOf(b)]
  return (
    left.length === right.length &&
    left.every((f, i) => f.name === right[i]!.name && f.text === right[i]!.text) &&
    sameBesideTexts(a, b)
  )
}

function sameBesideTexts(a: Workspace, b: Workspace): boolean {
  const rest = (w: Workspace): string =>
    JSON.stringify([w.name, w.graphAt, w.passes, w.options, w.environment, graphsOf(w).map((g) => g.inputShapes)])
  return rest(a) === rest(b)
}
