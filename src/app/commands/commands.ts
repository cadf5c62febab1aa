/** Every action, as data: the palette, the keys, the buttons' hints and the help read the same list. */
import { forgetRun, giveConsent, run, stopRun } from '../live/runner'
import { rememberOrigin } from '../live/autosave'
import { indexOf } from '../model/report_index'
import { whyNot } from '../model/why_not'
import { placesOf } from '../model/why_not_places'
import { explainedOf } from '../stores/explained'
import { openPasteOutput } from '../stores/paste_output'
import { usePin } from '../stores/pin'
import { useRun } from '../stores/run'
import { useTheme } from '../stores/theme'
import { useView } from '../stores/view'
import { EMPTY_WORKSPACE, useWorkspace, newOrigin } from '../stores/workspace'
import type { CanvasMode, PanelId, Selection } from '../../workspace/types'
import { EXAMPLE_COMMANDS, exampleCommands } from './examples'
import { chooseFiles, downloadSnapshot } from './files'
import { GRAPH_COMMANDS } from './graphs'
import { PIPELINE_COMMANDS } from './pipeline'
import { STEP_COMMANDS } from './steps'
import { activeCanvas, activeEditor, focusNextRegion } from './surfaces'

export interface Command {
  id: string
  title: string
  group: 'Graph' | 'Panels' | 'Steps' | 'Run' | 'Files' | 'Share' | 'View' | 'Examples'
  /** `Mod+K`, `/`, `Shift+N`; Mod is ⌘ on a Mac and Ctrl elsewhere. Several ways to press it. */
  keys?: readonly string[]
  /** Where the keys count; there they come before another command's. Everywhere when left out. */
  keysWhen?(): boolean
  /** Works while the keyboard is in the editor or a text field too. */
  anywhere?: boolean
  enabled?(): boolean
  run(): void
}

const view = useView.getState
const mode = (m: CanvasMode) => () => view().setMode(m)
const panel = (p: PanelId) => () => view().setPanel(p)
const hasReport = (): boolean => useRun.getState().report !== null

export const COMMANDS: readonly Command[] = [
  {
    id: 'palette',
    title: 'All commands',
    group: 'View',
    keys: ['Mod+K'],
    anywhere: true,
    run: () => view().setOverlay(view().overlay === 'palette' ? null : 'palette'),
  },
  { id: 'help', title: 'Help and keys', group: 'View', keys: ['?', 'F1'], run: () => view().setOverlay('help') },
  {
    id: 'theme',
    title: 'Switch between light and dark',
    group: 'View',
    keys: ['Shift+D'],
    run: () => useTheme.getState().toggle(),
  },
  {
    id: 'next-region',
    title: 'Go to the next part: editor, graph, panels',
    group: 'View',
    keys: ['F6'],
    anywhere: true,
    run: focusNextRegion,
  },
  { id: 'focus-editor', title: 'Go to the editor', group: 'View', keys: ['E'], run: () => activeEditor()?.focus() },

  { id: 'mode-before', title: 'Show the graph before', group: 'Graph', keys: ['1'], run: mode('before') },
  {
    id: 'mode-after',
    title: 'Show the graph after',
    group: 'Graph',
    keys: ['2'],
    enabled: () => useRun.getState().report?.after != null,
    run: mode('after'),
  },
  {
    id: 'mode-split',
    title: 'Show before and after side by side',
    group: 'Graph',
    keys: ['3'],
    enabled: () => useRun.getState().report?.after != null,
    run: mode('split'),
  },
  { id: 'fit', title: 'Fit the graph to the window', group: 'Graph', keys: ['F'], run: () => activeCanvas()?.fit() },
  { id: 'zoom-in', title: 'Zoom in', group: 'Graph', keys: ['+', '='], run: () => activeCanvas()?.zoomIn() },
  { id: 'zoom-out', title: 'Zoom out', group: 'Graph', keys: ['-'], run: () => activeCanvas()?.zoomOut() },
  {
    id: 'search',
    title: 'Find a node by name or target',
    group: 'Graph',
    keys: ['/', 'Mod+F'],
    run: () => view().setSearch({ open: true }),
  },
  {
    id: 'reveal',
    title: 'Centre the selection',
    group: 'Graph',
    keys: ['C'],
    enabled: () => view().selection !== null,
    run: () => view().select(view().selection),
  },
  { id: 'next-match', title: 'Next match', group: 'Graph', keys: ['N'], enabled: hasReport, run: () => stepMatch(1) },
  {
    id: 'previous-match',
    title: 'Previous match',
    group: 'Graph',
    keys: ['Shift+N'],
    enabled: hasReport,
    run: () => stepMatch(-1),
  },
  {
    id: 'next-miss',
    title: 'Next near miss',
    group: 'Graph',
    keys: [']'],
    enabled: () => missPlaces().length > 0,
    run: () => stepMiss(1),
  },
  {
    id: 'previous-miss',
    title: 'Previous near miss',
    group: 'Graph',
    keys: ['['],
    enabled: () => missPlaces().length > 0,
    run: () => stepMiss(-1),
  },
  {
    id: 'pin',
    title: 'Why doesn’t a pattern match at the selected node?…',
    group: 'Graph',
    keys: ['Y'],
    enabled: () => pinnable() !== null,
    run: () => {
      const node = pinnable()
      if (node) choosePattern(node)
    },
  },
  {
    id: 'unpin',
    title: 'Unpin the pattern',
    group: 'Graph',
    enabled: () => usePin.getState().pin !== null,
    run: () => usePin.getState().pinTo(null),
  },
  { id: 'clear', title: 'Clear the selection', group: 'Graph', keys: ['Escape'], run: clear },

  { id: 'panel-matches', title: 'Matches', group: 'Panels', keys: ['M'], run: panel('matches') },
  { id: 'panel-whynot', title: 'Why not', group: 'Panels', keys: ['W'], run: panel('whynot') },
  {
    id: 'paste-output',
    title: 'Paste the output of TORCHINDUCTOR_PATTERN_MATCH_DEBUG…',
    group: 'Panels',
    run: openPasteOutput,
  },
  {
    id: 'panel-patterns',
    title: 'Patterns: the registration tree',
    group: 'Panels',
    keys: ['P'],
    run: panel('patterns'),
  },
  ...GRAPH_COMMANDS,
  ...PIPELINE_COMMANDS,
  { id: 'panel-run', title: 'Run on the GPU', group: 'Panels', keys: ['R'], run: panel('run') },
  {
    id: 'panel-inspector',
    title: 'Node: all facts about the selected node',
    group: 'Panels',
    keys: ['I'],
    run: panel('inspector'),
  },
  { id: 'panel-console', title: 'Console', group: 'Panels', keys: ['O'], run: panel('console') },
  ...STEP_COMMANDS,

  {
    id: 'rerun',
    title: 'Run the Python and the passes again',
    group: 'Run',
    keys: ['Mod+Enter'],
    anywhere: true,
    run: () => (useRun.getState().consent === 'asked' ? giveConsent() : void run()),
  },
  {
    id: 'stop',
    title: 'Stop the run',
    group: 'Run',
    keys: ['Mod+.'],
    anywhere: true,
    enabled: () => useRun.getState().running,
    run: stopRun,
  },

  {
    id: 'new-file',
    title: 'Add a Python file',
    group: 'Files',
    run: () => void useWorkspace.getState().addFile('patterns.py'),
  },
  {
    id: 'open-file',
    title: 'Open a graph or a Python file…',
    group: 'Files',
    keys: ['Mod+O'],
    anywhere: true,
    run: chooseFiles,
  },
  { id: 'new', title: 'Start with an empty workspace', group: 'Files', run: startEmpty },
  ...EXAMPLE_COMMANDS,

  {
    id: 'share',
    title: 'Share a link',
    group: 'Share',
    keys: ['Mod+Shift+S'],
    anywhere: true,
    run: () => view().setOverlay('share'),
  },
  {
    id: 'save',
    title: 'Save everything as a file',
    group: 'Share',
    keys: ['Mod+S'],
    anywhere: true,
    run: downloadSnapshot,
  },
]

/** COMMANDS and one for each example. */
export function allCommands(): Command[] {
  return [...COMMANDS, ...exampleCommands()]
}

export function commandById(id: string): Command {
  const command = COMMANDS.find((c) => c.id === id)
  if (!command) throw new Error(`no command ${id}`)
  return command
}

export function runCommand(id: string): void {
  const command = allCommands().find((c) => c.id === id)
  if (command && (command.enabled?.() ?? true)) command.run()
}

/** Every place where something came near, as the Why-not panel orders them. */
function missPlaces(): Extract<Selection, { kind: 'nearMiss' }>[] {
  const report = explainedOf(useRun.getState().report, useWorkspace.getState().origin)
  if (!report) return []
  return whyNot(report).near.flatMap(({ lead: { pass, miss } }) =>
    placesOf(report, miss).map(({ anchor }) => ({
      kind: 'nearMiss' as const,
      pass: pass.name,
      index: miss.index,
      place: anchor,
    })),
  )
}

function stepMiss(step: 1 | -1): void {
  const places = missPlaces()
  const s = view().selection
  const same = places.findIndex(
    (p) => s?.kind === 'nearMiss' && p.pass === s.pass && p.index === s.index && (s.place ?? p.place) === p.place,
  )
  const at = same < 0 ? (step > 0 ? -1 : 0) : same
  const next = places[(at + step + places.length) % places.length]
  if (!next) return
  view().select(next)
  view().setPanel('whynot')
}

/** The node of the graph before that is selected, where there are patterns to ask about. */
function pinnable(): string | null {
  const { selection } = view()
  const { report, summary } = useRun.getState()
  if (summary || !report?.passes.some((p) => p.entries.length > 0)) return null
  return selection?.kind === 'node' && selection.side === 'before' ? selection.name : null
}

/** Asks which pattern should match at a node of the graph before. */
export function choosePattern(node: string): void {
  usePin.setState({ choosing: node })
  view().setOverlay('pin')
}

function stepMatch(step: 1 | -1): void {
  const { report } = useRun.getState()
  if (!report) return
  const { matches } = indexOf(report)
  if (matches.length === 0) return
  const s = view().selection
  const at =
    s?.kind === 'match'
      ? matches.findIndex((m) => m.pass.name === s.pass && m.match.index === s.index)
      : step > 0
        ? -1
        : 0
  const next = matches[(at + step + matches.length) % matches.length]!
  view().select({ kind: 'match', pass: next.pass.name, index: next.match.index })
}

function clear(): void {
  const v = view()
  if (v.overlay) v.setOverlay(null)
  else if (v.search.open) v.setSearch({ open: false })
  else v.select(null)
}

function startEmpty(): void {
  const { workspace, origin } = useWorkspace.getState()
  const own = newOrigin()
  rememberOrigin(own)
  useWorkspace.getState().load(EMPTY_WORKSPACE, own, 'graph.txt')
  forgetRun()
  view().select(null)
  view().toast('An empty workspace. Paste or drop a graph.', {
    action: { label: 'Undo', run: () => useWorkspace.getState().load(workspace, origin) },
  })
}
