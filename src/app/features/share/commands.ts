/** Commands that share the workspace. */
import type { Command } from '../../commands/types'
import { pythonHasRun } from '../../session/run_store'
import { activeCanvas } from '../../commands/surfaces'
import { downloadSnapshot, EXPORTS, exportWorkspace } from './exports'
import { PICTURES, savePicture } from './pictures'
import { useView } from '../../session/view_store'

export const SHARE_COMMANDS: readonly Command[] = [
  {
    id: 'save',
    title: 'Save everything as a file',
    group: 'Share',
    keys: ['Mod+S'],
    anywhere: true,
    run: () => void downloadSnapshot(),
  },
  {
    id: 'share',
    title: 'Share a link',
    group: 'Share',
    keys: ['Mod+Shift+S'],
    anywhere: true,
    run: () => useView.getState().setOverlay('share'),
  },
  ...PICTURES.map(({ part, form, title }): Command => ({
    id: `picture-${part}-${form}`,
    title,
    group: 'Share',
    enabled: () => activeCanvas() !== null && (part === 'whole' || useView.getState().selection !== null),
    run: () => void savePicture(part, form),
  })),
  ...EXPORTS.map(({ kind, title }): Command => ({
    id: `export-${kind}`,
    title,
    group: 'Share',
    enabled: pythonHasRun,
    run: () => void exportWorkspace(kind),
  })),
]
