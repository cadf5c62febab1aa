/** Commands of the shell: palette, help, theme, focus. */
import type { Command } from '../commands/types'
import { docsAddress } from '../docs/DocsLink'
import { focusNextRegion } from '../commands/surfaces'
import { useView } from '../session/view_store'
import { toggleProjector } from '../theme/projector'
import { useTheme } from '../theme/theme_store'

const view = useView.getState

export const SHELL_COMMANDS: readonly Command[] = [
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
    id: 'docs',
    title: 'Documentation',
    group: 'View',
    run: () => void open(docsAddress('start'), '_blank', 'noopener'),
  },
  {
    id: 'theme',
    title: 'Switch between light and dark',
    group: 'View',
    keys: ['Shift+D'],
    run: () => useTheme.getState().toggle(),
  },
  {
    id: 'projector',
    title: 'Projector mode: large type and high contrast, on or off',
    group: 'View',
    keys: ['Shift+M'],
    run: toggleProjector,
  },
  {
    id: 'next-region',
    title: 'Go to the next area: editor, graph, panels',
    group: 'View',
    keys: ['F6'],
    anywhere: true,
    run: () => focusNextRegion(view().setPane),
  },
]
