import { useView } from '../../session/view_store'
import type { Feature } from '../types'
import { useEnvironment } from './environment'

export const environmentFeature: Feature = {
  commands: [
    {
      id: 'environment',
      title: 'Environment: platform, dtype, tokens, flags…',
      group: 'Panels',
      run: () => {
        useEnvironment.setState({ open: true })
        useView.getState().setPanel('patterns')
        // The panel must draw its fields first.
        setTimeout(() => document.querySelector<HTMLElement>('[data-testid="environment"] select')?.focus())
      },
    },
  ],
}
