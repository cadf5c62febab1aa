import { expect, it } from 'vitest'
import { resetSessionStores } from '../../session/session_store'
import { usePasteOutput } from './store'

it('another workspace does not keep the pasted output', () => {
  usePasteOutput.setState({ open: true, text: 'mul(a, b) constant_args' })
  resetSessionStores()
  expect(usePasteOutput.getState()).toEqual({ open: false, text: '' })
})
