import { inGroup } from '../../commands/types'
import type { Feature } from '../types'
import { onScreen, stepDifference, stepsOf } from '../../on_screen/differences/stepping'

const hasDifferences = (): boolean => stepsOf(onScreen()) !== null

export const differencesFeature: Feature = {
  commands: inGroup('Graph', [
    {
      id: 'difference-next',
      title: 'Next difference between the two graphs',
      keys: ['Shift+J'],
      enabled: hasDifferences,
      run: () => stepDifference(1),
    },
    {
      id: 'difference-previous',
      title: 'Previous difference between the two graphs',
      keys: ['Shift+K'],
      enabled: hasDifferences,
      run: () => stepDifference(-1),
    },
  ]),
}
