/** Commands of the shell: palette, help, theme, focus. */
import { inGroup } from '../commands/types'
import { docsAddress } from '../docs/DocsLink'
import { focusNextRegion } from '../commands/surfaces'
import { useView } from '../session/view_store'
import { toggleProjector } from '../theme/projector'
import { useTheme } from '../theme/theme_store'

const view = useView.getState

export const SHELL_COMMANDS = inGroup('View', [
  {
    id: 'palette',
    title: 'All commands',
    keys: ['Mod+K'],
    anywhere: true,
    run: () => view().setOverlay(view().overlay === 'palette' ? null : 'palette'),
  },
  { id: 'help', title: 'Help and keys', keys: ['?', 'F1'], run: () => view().setOverlay('help') },
  { id: 'docs', title: 'Documentation', run: () => void open(docsAddress('start'), '_blank', 'noopener') },
  { id: 'theme', title: 'Switch between light and dark', keys: ['Shift+D'], run: () => useTheme.getState().toggle() },
  {
    id: 'projector',
    title: 'Projector mode: large type and high contrast, on or off',
    keys: ['Shift+M'],
    run: toggleProjector,
  },
  {
    id: 'next-region',
    title: 'Go to the next area: editor, graph, panels',
    keys: ['F6'],
    anywhere: true,
    run: () => focusNextRegion(view().setPane),
  },
])
