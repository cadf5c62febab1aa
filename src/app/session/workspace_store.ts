/**
 * Store of the edited workspace. Its text is authoritative; Monaco's models follow it. Each change that affects a run
 * increments `version`, which the runner uses to detect a stale report.
 */
import { create } from 'zustand'
import { combine } from 'zustand/middleware'
import { freeName } from '../../workspace/file_names'
import { graphsOf, shownAt, withGraphs, withGraphShown, withUniqueNames } from '../../workspace/graphs'
import { isOwnText, markOwnText, type EditedBy, type ForeignCode } from '../../workspace/code_origin'
import type { Environment, GraphFile, TextFile, Workspace } from '../../workspace/types'

export const EMPTY_WORKSPACE: Workspace = {
  name: 'Untitled',
  graph: { name: 'graph.txt', text: '' },
  files: [{ name: 'patterns.py', text: '' }],
  options: { timeLimitS: 10 },
}

/** All tabs, in order: Python files, the graph, the shapes text. */
export function tabsOf(w: Workspace): TextFile[] {
  return [...w.files, w.graph, ...(w.shapes ? [w.shapes] : [])]
}

/** Names in use: those of all tabs and of the graphs that are not shown. */
export const namesOf = (w: Workspace): string[] => [...tabsOf(w), ...(w.graphs ?? [])].map((f) => f.name)

/** All texts, including those of graphs that are not shown. */
export const textsOf = (w: Workspace): TextFile[] => [
  ...w.files,
  ...graphsOf(w).flatMap((g) => [g, ...(g.shapes ? [g.shapes] : [])]),
]

export function textOf(w: Workspace, name: string): string | null {
  return tabsOf(w).find((f) => f.name === name)?.text ?? null
}

/** The workspace file of a stack frame or source; Python may have a longer path for it. */
export function fileOf(workspace: Workspace, file: string): string {
  const exact = workspace.files.find((f) => f.name === file)
  if (exact) return exact.name
  const base = file.split(/[/\\]/).at(-1)
  return workspace.files.find((f) => f.name === base)?.name ?? file
}

/** The initial tab: files run in order, so the last one that registers something is the main one. */
export function mainFile(w: Workspace): string {
  const registers = w.files.findLast((f) => /\bPatternMatcherPass\(|\bregister_replacement\(/.test(f.text))
  return (registers ?? w.files[0] ?? w.graph).name
}

/** The line of the first occurrence, from 1; null if there is none. */
export function lineOf(text: string, wanted: string | null): number | null {
  const at = wanted ? text.indexOf(wanted) : -1
  return at < 0 ? null : text.slice(0, at).split('\n').length
}

export { freeName }

/** The reason why a name is invalid, one sentence; null if it is valid. */
export function nameProblem(name: string, taken: Iterable<string>): string | null {
  if (!name.trim()) return 'Give the file a name.'
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(name) || name.split('/').includes('..'))
    return 'Use letters, digits, dots, dashes and underscores; a slash makes a folder.'
  if ([...taken].includes(name)) return `There is already a file called ${name}.`
  return null
}

/** A new origin for work that does not belong to an example. */
export const newOrigin = (): string => `own:${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`

function edited(file: TextFile, text: string, by: EditedBy): TextFile {
  const next = { ...file, text }
  if (by === 'own' || (by === 'user' && isOwnText(file))) markOwnText(next)
  return next
}

const state = {
  workspace: EMPTY_WORKSPACE,
  /** The origin: an example's id, `link:…` or `own:…`; part of the autosave key. */
  origin: newOrigin(),
  /** The editor keeps its undo history while this stays the same. */
  editorKey: '',
  /** Number of states shown by undo and redo of the workspace. */
  rewound: 0,
  /** Not null: the files hold a link's code. */
  foreign: null as ForeignCode | null,
  /** Where a received workspace came from (Draft); null for one made here. */
  source: null as string | null,
  version: 0,
  /** Name of the open tab: a Python file, the graph or the shapes text. */
  openFile: 'patterns.py',
  /** Initial scroll position of the open tab: a text to find, or the first visible line. Null: the top. */
  startAt: null as string | number | null,
}

type Get = () => typeof state
/** Replaces the workspace and increments the version. */
type Change = (workspace: Workspace, more?: Partial<typeof state>) => void

const graphActions = (get: Get, change: Change) => ({
  setGraph(file: TextFile, shapes?: TextFile): void {
    const { shapes: _old, inputShapes: _given, ...w } = get().workspace
    const name = freeName(
      file.name,
      [...w.files, ...(w.graphs ?? [])].map((f) => f.name),
    )
    const next = withUniqueNames({ ...w, graph: { ...file, name }, ...(shapes ? { shapes } : {}) })
    change(next, { openFile: next.graph.name })
  },
  /** Shows another of the workspace's graphs; its tab replaces the previous graph's tab. */
  showGraph(name: string): void {
    const { workspace: w, openFile } = get()
    const next = withGraphShown(w, name)
    if (next === w) return
    const wasGraph = openFile === w.graph.name || openFile === w.shapes?.name
    change(next, wasGraph ? { openFile: next.graph.name } : {})
  },
  /** Adds graphs after the others (or replaces an empty one) and shows the first of them. @returns their names */
  addGraphs(files: readonly TextFile[]): string[] {
    const w = get().workspace
    const taken = namesOf(w)
    const added = files.map((f): GraphFile => {
      const name = freeName(f.name, taken)
      taken.push(name)
      return { ...f, name }
    })
    const kept = graphsOf(w).filter((g) => g.text.trim() !== '')
    change(withGraphs(w, [...kept, ...added], kept.length), { openFile: added[0]!.name })
    return added.map((g) => g.name)
  },
  /** Removes the shown graph if there are others, and shows the next one. */
  removeGraph(): void {
    const { workspace: w, openFile } = get()
    const at = shownAt(w)
    const rest = graphsOf(w).toSpliced(at, 1)
    if (rest.length === 0) return
    const next = withGraphs(w, rest, Math.min(at, rest.length - 1))
    change(next, tabsOf(next).some((f) => f.name === openFile) ? {} : { openFile: next.graph.name })
  },
  /** Restores the graphs of an earlier state. */
  restoreGraphs(from: Workspace, openFile: string): void {
    const w = withGraphs(get().workspace, graphsOf(from), shownAt(from))
    change(w, { openFile: textOf(w, openFile) === null ? w.graph.name : openFile })
  },
})

const fileActions = (get: Get, change: Change) => ({
  addFile(name = 'patterns.py', text = ''): string {
    const w = get().workspace
    const free = freeName(name, namesOf(w))
    change({ ...w, files: [...w.files, { name: free, text }] }, { openFile: free })
    return free
  },
  renameFile(from: string, to: string): string | null {
    const w = get().workspace
    if (from === to) return null
    const problem = nameProblem(to, namesOf(w))
    if (problem) return problem
    const put = (f: TextFile): TextFile => (f.name === from ? { ...f, name: to } : f)
    change(
      { ...w, graph: put(w.graph), files: w.files.map(put), ...(w.shapes ? { shapes: put(w.shapes) } : {}) },
      { openFile: get().openFile === from ? to : get().openFile },
    )
    return null
  },
  deleteFile(name: string): TextFile | null {
    const w = get().workspace
    const index = w.files.findIndex((f) => f.name === name)
    if (index < 0) return null
    const files = w.files.filter((f) => f.name !== name)
    const openFile = get().openFile === name ? (files[Math.max(0, index - 1)] ?? w.graph).name : get().openFile
    change({ ...w, files }, { openFile })
    return w.files[index] ?? null
  },
  restoreFile(file: TextFile, index: number): void {
    const w = get().workspace
    const name = freeName(file.name, namesOf(w))
    change({ ...w, files: w.files.toSpliced(index, 0, { ...file, name }) }, { openFile: name })
  },
  /** Adds files under their own names, replacing files of the same name. */
  putFiles(files: readonly TextFile[]): void {
    const w = get().workspace
    const names = new Set(files.map((f) => f.name))
    const kept = w.files.filter((f) => !names.has(f.name) && f.text.trim() !== '')
    // Python imports a file by its name, so a graph of that name gets another.
    change(withUniqueNames({ ...w, files: [...kept, ...files] }), { openFile: mainFile({ ...w, files: [...files] }) })
  },
  /** Restores the files of an earlier state. */
  restoreFiles(files: TextFile[], openFile: string): void {
    change({ ...get().workspace, files }, { openFile })
  },
})

interface LoadOptions {
  foreign?: ForeignCode | null | undefined
  source?: string | undefined
  openFile?: string | undefined
  startAt?: string | number | undefined
}

export const useWorkspace = create(
  combine(state, (set, get) => {
    const change: Change = (workspace, more = {}) => set((s) => ({ workspace, version: s.version + 1, ...more }))
    return {
      load(given: Workspace, origin: string, { foreign = null, source, openFile, startAt }: LoadOptions = {}): void {
        const workspace = withUniqueNames(given)
        const names = tabsOf(workspace).map((f) => f.name)
        change(workspace, {
          origin,
          editorKey: origin === get().origin ? get().editorKey : `${origin} ${get().version}`,
          foreign,
          source: source ?? null,
          startAt: startAt ?? null,
          openFile: openFile !== undefined && names.includes(openFile) ? openFile : mainFile(workspace),
        })
      },
      setText(name: string, text: string, by: EditedBy = 'elsewhere'): void {
        const w = get().workspace
        if (textOf(w, name) === text) return
        const put = (f: TextFile): TextFile => (f.name === name ? edited(f, text, by) : f)
        change({ ...w, graph: put(w.graph), files: w.files.map(put), ...(w.shapes ? { shapes: put(w.shapes) } : {}) })
      },
      ...graphActions(get, change),
      setEnvironment: (environment: Environment): void => change({ ...get().workspace, environment }),
      /** Shapes given to a graph without, by node name. */
      setInputShapes(shapes: Readonly<Record<string, string>>): void {
        const { inputShapes: _old, ...w } = get().workspace
        change(Object.keys(shapes).length > 0 ? { ...w, inputShapes: { ...shapes } } : w)
      },
      /** @param passes variables in the order to apply; undefined: all, as the code defines them */
      setPasses(passes: string[] | undefined): void {
        const { passes: _old, ...w } = get().workspace
        change(passes ? { ...w, passes } : w)
      },
      ...fileActions(get, change),
      open(name: string): void {
        if (textOf(get().workspace, name) !== null) set({ openFile: name })
      },
    }
  }),
)
