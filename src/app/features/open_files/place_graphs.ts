/**
 * Adds graphs to the workspace: the user chooses among a dump's graphs, and a graph on screen is never replaced without a question.
 */
import { dumpOfText, formatProblem, pipelineOf, type Dump, type DumpGraph } from '../../../engine/dumps'
import { count } from '../../../base/english'
import { graphsOf, MAX_GRAPHS, type TextFile, type Workspace } from '../../../workspace'
import { FIRST_EXAMPLE } from '../../examples/catalog'
import { compareWith } from '../../on_screen/compare/requests'
import { draftNow } from '../../session/autosave'
import { keepVersion } from '../../session/saver'
import { toast, useView, toastUndo } from '../../session/view_store'
import { isExampleId, mayBeKept } from '../../session/kept_ids'
import { openOwn } from '../../session/open_workspace'
import { EMPTY_WORKSPACE, useWorkspace } from '../../session/workspace_store'
import { shownGraph, withUniqueNames } from '../../../workspace/graphs'
import { compareSides, sidesOf } from './diff'
import { withOtherForm } from '../../../workspace/other_form'
import { ask } from '../../files/question'
import { safe } from '../../files/read_file'

/** Opens the graph of a text, or asks which of its graphs. Returns them. */
export function offerText(text: string, name: string): Dump {
  const dump = dumpOfText(text, name)
  offerDump(dump, name)
  return dump
}

/** Opens the only graph of a dump or both sides of a diff, or asks which; a dump without a graph changes nothing. */
export function offerDump(dump: Dump, name: string): void {
  const { graphs, best, problems } = dump
  const [problem] = problems
  if (problem) toast(formatProblem(problem), { tone: 'bad' })
  if (graphs.length === 0 || (problem && graphs.length === 1 && graphs[0]!.text === '')) return
  const sides = sidesOf(dump)
  if (sides && compareSides(sides, name)) return
  if (graphs.length === 1) return placeGraphs([fileOf(graphs[0]!, name, 1)])
  const pipeline = pipelineOf(graphs)
  const listed = pipeline ? [...pipeline, ...graphs.filter((g) => !pipeline.some((p) => p.text === g.text))] : graphs
  const chosen = pipeline ? pipeline.map((_, i) => i) : [best]
  ask({ kind: 'choose', name, graphs: listed, chosen, pipeline: pipeline !== null })
}

/** A file of the workspace for a graph of a dump. */
export function fileOf({ title, group, text }: DumpGraph, dump: string, of: number): TextFile {
  if (of === 1 && title === dump) return { name: safe(dump), text }
  const name = safe([group, title].filter((part) => part !== null && part !== '').join('.'))
  return { name: /\.\w{1,5}$/.test(name) ? name : `${name}.txt`, text }
}

/** True for the unedited example of a first visit: opened content replaces it. */
export function isFirstVisit(): boolean {
  const { origin } = useWorkspace.getState()
  return origin === FIRST_EXAMPLE && !mayBeKept(origin)
}

/**
 * Shows graphs: at once if there is no graph, or over the example of a first visit; otherwise after asking what happens to the
 * current graph.
 */
export function placeGraphs(files: readonly TextFile[]): void {
  const { workspace } = useWorkspace.getState()
  if (isFirstVisit()) openAlone(files)
  else if (graphsOf(workspace).every((g) => g.text.trim() === '')) {
    const [file] = files
    if (files.length === 1) useWorkspace.getState().setGraph(file!)
    else useWorkspace.getState().addGraphs(files.slice(0, MAX_GRAPHS))
    useView.getState().select(null)
    leftOut(files.length - MAX_GRAPHS)
  } else if (files.length > 1 || !joinForms(files[0]!)) ask({ kind: 'present', files })
}

/** Merges the other text form of the graph on screen into it. False for a different graph. */
function joinForms(file: TextFile): boolean {
  const { workspace, openFile, setGraph } = useWorkspace.getState()
  const both = withOtherForm(shownGraph(workspace), file)
  if (!both) return false
  setGraph({ name: both.name, text: both.text }, both.shapes)
  toastUndo(`${file.name} is the other form of the graph: their nodes are merged by name.`, () =>
    useWorkspace.getState().restoreGraphs(workspace, openFile),
  )
  return true
}

/** Replaces the graph on screen by the first file, and adds the others after it. An example stays unchanged. */
export function replaceGraph(files: readonly TextFile[]): void {
  const store = useWorkspace.getState()
  const { workspace, openFile, origin } = store
  if (isExampleId(origin)) return openBeside(files, workspace, `the patterns of ${workspace.name}`)
  void keepVersion(origin, draftNow(), { kind: 'before', what: 'the graph was replaced' })
  store.setGraph(files[0]!)
  if (files.length > 1) store.addGraphs(files.slice(1, MAX_GRAPHS))
  useView.getState().select(null)
  toastUndo(`${files[0]!.name} replaced the graph.`, () => useWorkspace.getState().restoreGraphs(workspace, openFile))
}

/** Opens graphs as a workspace of their own, without patterns. */
export const openAlone = (files: readonly TextFile[]): void => openBeside(files, EMPTY_WORKSPACE, 'no patterns')

function openBeside(files: readonly TextFile[], beside: Workspace, what: string): void {
  const [graph, ...graphs] = files.slice(0, MAX_GRAPHS)
  const name = graph!.name.replace(/\.\w+$/, '')
  const { graphs: _graphs, shapes: _shapes, inputShapes: _given, ...rest } = beside
  const workspace = withUniqueNames({ ...rest, name, graph: graph!, ...(graphs.length > 0 && { graphs }) })
  const undo = openOwn({ workspace, openFile: beside === EMPTY_WORKSPACE ? 'patterns.py' : workspace.graph.name })
  toastUndo(`${name} opened, with ${what}.`, undo)
}

/** Adds graphs to the existing ones, as one change. */
export function addGraphs(files: readonly TextFile[]): void {
  const { workspace, openFile, addGraphs: add } = useWorkspace.getState()
  const room = MAX_GRAPHS - graphsOf(workspace).length
  const taken = files.slice(0, Math.max(0, room))
  if (taken.length > 0) add(taken)
  useView.getState().select(null)
  const left = files.length - taken.length
  toastUndo(
    `${count(taken.length, 'graph')} added beside the others${left > 0 ? `; ${left} more than a workspace holds` : ''}.`,
    () => useWorkspace.getState().restoreGraphs(workspace, openFile),
  )
}

/** Adds graphs. One is compared with the graph on screen; several open the table that counts each pattern on each graph. */
export function compareGraphs(files: readonly TextFile[]): void {
  const { name } = useWorkspace.getState().workspace.graph
  addGraphs(files)
  if (files.length === 1) void compareWith(name)
  else useView.getState().setPanel('patterns')
}

function leftOut(left: number): void {
  if (left > 0) toast(`${count(left, 'graph')} left out: a workspace holds ${MAX_GRAPHS}.`, { tone: 'bad' })
}
