import { inGroup } from '../../commands/types'
import type { Feature } from '../types'
import { canBeKept, keepForOffline, stopKeeping, useOffline } from './store'

export const offlineFeature: Feature = {
  commands: inGroup('Files', [
    {
      id: 'keep-offline',
      title: 'Keep Fusescope for use without a network',
      enabled: () => canBeKept() && useOffline.getState().kept === 'no',
      run: () => void keepForOffline(),
    },
    {
      id: 'stop-keeping',
      title: 'Stop keeping Fusescope in this browser',
      enabled: () => useOffline.getState().kept === 'yes',
      run: () => void stopKeeping(),
    },
  ]),
}
