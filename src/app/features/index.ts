/** The list of features, and the panels and commands derived from it. A new feature adds one line here. */
import type { PanelId } from '../../workspace/types'
import { registerCommands } from '../commands/registry'
import { focusPanel } from '../commands/surfaces'
import type { Command } from '../commands/types'
import { SESSION_COMMANDS } from '../session/commands'
import { placeOf, useView } from '../session/view_store'
import { SHELL_COMMANDS } from '../shell/commands'
import { DOWNLOAD_CAPTURE_SCRIPT } from './capture/commands'
import { compareFeature } from './compare/feature'
import { consoleFeature } from './console/feature'
import { differencesFeature } from './differences/feature'
import { EDITOR_COMMANDS } from './editor/commands'
import { environmentFeature } from './environment/feature'
import { FIND_FUSIONS } from './fusions/store'
import { findInFilesFeature } from './find_in_files/feature'
import { galleryFeature } from './gallery/feature'
import { GRAPH_COMMANDS } from './graph/commands'
import { LESSON_COMMANDS } from './lessons/commands'
import { LIBRARY_COMMANDS } from './library/commands'
import { liveFeature } from './live/feature'
import { LOOK_COMMANDS } from './look/commands'
import { matchesFeature } from './matches/feature'
import { nodeFeature } from './node/feature'
import { MY_PATTERNS_COMMANDS } from './my_patterns/commands'
import { NEW_PATTERN_COMMANDS } from './new_pattern/commands'
import { outlineFeature } from './outline/feature'
import { NEW_WORKSPACE_COMMANDS } from './new_workspace/commands'
import { offlineFeature } from './offline/feature'
import { openFilesFeature } from './open_files/feature'
import { PASTE_OUTPUT } from './paste_output/store'
import { patternsFeature } from './patterns/feature'
import { pipelineFeature } from './pipeline/feature'
import { problemsFeature } from './problems/feature'
import { runFeature } from './run/feature'
import { OPEN_SHAPES } from './shapes/shapes'
import { SHARE_COMMANDS } from './share/commands'
import { stepsFeature } from './steps/feature'
import type { Feature, Panel } from './types'
import { whyNotFeature } from './whynot/feature'

/** In the order of the tabs, and within each group of the palette. */
export const FEATURES: readonly Feature[] = [
  { commands: SHELL_COMMANDS },
  { commands: GRAPH_COMMANDS },
  { commands: LOOK_COMMANDS },
  compareFeature,
  differencesFeature,
  { commands: NEW_PATTERN_COMMANDS },
  { commands: [FIND_FUSIONS] },
  { commands: [OPEN_SHAPES] },
  matchesFeature,
  whyNotFeature,
  { commands: [PASTE_OUTPUT] },
  stepsFeature,
  patternsFeature,
  environmentFeature,
  pipelineFeature,
  runFeature,
  nodeFeature,
  outlineFeature,
  problemsFeature,
  consoleFeature,
  { commands: SESSION_COMMANDS },
  { commands: EDITOR_COMMANDS },
  findInFilesFeature,
  { commands: NEW_WORKSPACE_COMMANDS },
  openFilesFeature,
  { commands: LIBRARY_COMMANDS },
  { commands: MY_PATTERNS_COMMANDS },
  { commands: [DOWNLOAD_CAPTURE_SCRIPT] },
  liveFeature,
  galleryFeature,
  { commands: LESSON_COMMANDS },
  { commands: SHARE_COMMANDS },
  offlineFeature,
]

export const PANELS: readonly Panel[] = FEATURES.flatMap((f) => f.panel ?? [])

/** The panel with an id; the first one for an id that no feature registers. */
export const panelById = (id: PanelId): Panel => PANELS.find((p) => p.id === id) ?? PANELS[0]!

/** Opens a panel; one that is open in the drawer or beside the graph closes. */
export function togglePanel(id: PanelId): void {
  const { places, setPanel, closePlace } = useView.getState()
  const place = placeOf(id)
  if (place !== 'tabs' && places[place] === id) closePlace(place)
  else setPanel(id)
}

/** Opens a panel, or closes it, and takes the focus along: Tab goes on in it. */
function goToPanel(id: PanelId): void {
  togglePanel(id)
  const place = placeOf(id)
  if (useView.getState().places[place] === id) focusPanel(place)
}

const panelCommand = ({ id, title, key, open }: Panel): Command => ({
  id: `panel-${id}`,
  title,
  group: 'Panels',
  keys: [key],
  run: open ?? (() => goToPanel(id)),
})

/** All commands except the dynamic ones. */
export const COMMANDS: readonly Command[] = FEATURES.flatMap((f) => [
  ...(f.panel ? [panelCommand(f.panel)] : []),
  ...(f.commands ?? []),
])

/** COMMANDS and the dynamic commands of all features, such as one for each example. */
export function allCommands(): Command[] {
  return [...COMMANDS, ...FEATURES.flatMap((f) => f.dynamicCommands?.() ?? [])]
}

registerCommands(COMMANDS)
