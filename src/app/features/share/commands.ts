/** Commands that share the workspace. */
import { inGroup } from '../../commands/types'
import { pythonHasRun } from '../../session/run_store'
import { activeCanvas } from '../../commands/surfaces'
import { downloadSnapshot, EXPORTS, exportWorkspace } from './exports'
import { PICTURES, savePicture } from './pictures'
import { useView } from '../../session/view_store'

export const SHARE_COMMANDS = inGroup('Share', [
  {
    id: 'save',
    title: 'Save everything as a file',
    keys: ['Mod+S'],
    anywhere: true,
    run: () => void downloadSnapshot(),
  },
  {
    id: 'share',
    title: 'Share a link',
    keys: ['Mod+Shift+S'],
    anywhere: true,
    run: () => useView.getState().setOverlay('share'),
  },
  ...PICTURES.map(({ part, form, title }) => ({
    id: `picture-${part}-${form}`,
    title,
    enabled: () => activeCanvas() !== null && (part === 'whole' || useView.getState().selection !== null),
    run: () => void savePicture(part, form),
  })),
  ...EXPORTS.map(({ kind, title }) => ({
    id: `export-${kind}`,
    title,
    enabled: pythonHasRun,
    run: () => void exportWorkspace(kind),
  })),
])
