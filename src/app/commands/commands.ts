/** Every action, as data: the palette, the keys, the buttons' hints and the help read the same list. */
import { forgetRun, giveConsent, run, stopRun } from '../session/runner'
import { rememberOrigin } from '../session/autosave'
import { openPasteOutput } from '../features/paste_output/store'
import { useRun } from '../session/run_store'
import { useTheme } from '../theme/theme_store'
import { useView } from '../session/view_store'
import { EMPTY_WORKSPACE, useWorkspace, newOrigin } from '../session/workspace_store'
import type { CanvasMode, PanelId } from '../../workspace/types'
import { EXAMPLE_COMMANDS, exampleCommands } from '../features/gallery/commands'
import { chooseFiles, downloadSnapshot } from '../features/open_files/files'
import { FOUND_COMMANDS } from '../features/matches/found'
import { GRAPH_COMMANDS } from '../features/graph/commands'
import { PIPELINE_COMMANDS } from '../features/pipeline/commands'
import { STEP_COMMANDS } from '../features/steps/commands'
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
  ...FOUND_COMMANDS,
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
