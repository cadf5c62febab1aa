/** Commands that share the workspace. */
import type { Command } from '../../commands/types'
import { pythonHasRun } from '../../session/run_store'
import { EXPORTS, exportWorkspace } from './exports'
import { useView } from '../../session/view_store'

export const SHARE_COMMANDS: readonly Command[] = [
  {
    id: 'share',
    title: 'Share a link',
    group: 'Share',
    keys: ['Mod+Shift+S'],
    anywhere: true,
    run: () => useView.getState().setOverlay('share'),
  },
  ...EXPORTS.map(({ kind, title }): Command => ({
    id: `export-${kind}`,
    title,
    group: 'Share',
    enabled: pythonHasRun,
    run: () => void exportWorkspace(kind),
  })),
]
