import { useView } from '../../session/view_store'
import type { Feature } from '../types'

export const findInFilesFeature: Feature = {
  commands: [
    {
      id: 'find-in-files',
      title: 'Find in all files',
      group: 'Files',
      keys: ['Mod+Shift+F'],
      anywhere: true,
      run: () => useView.getState().setOverlay('find-files'),
    },
  ],
}
