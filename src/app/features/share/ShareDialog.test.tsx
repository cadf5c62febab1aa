// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { useView } from '../../session/view_store'
import { fused } from '../../../engine/queries/testing/report_fixture'
import { closeAfterTest, renderOpened } from '../../testing/render'
import { ShareDialog } from './ShareDialog'

const writeText = vi.fn(async (_text: string) => {})
const browsersOwn = Object.getOwnPropertyDescriptor(navigator, 'clipboard')

// The dialog loads the code of links on demand.
beforeAll(() => import('../../../workspace/link'))
beforeEach(() => {
  writeText.mockReset()
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
})
afterEach(closeAfterTest)
// Other test files of this worker share its navigator.
afterAll(() => {
  if (browsersOwn) Object.defineProperty(navigator, 'clipboard', browsersOwn)
  else Reflect.deleteProperty(navigator, 'clipboard')
})

describe('ShareDialog', () => {
  it('makes the link, copies it and shows its length', async () => {
    renderOpened(<ShareDialog />, { report: fused() })
    const link = await screen.findByTestId<HTMLInputElement>('share-link')
    expect(link.value).toMatch(/#v2\./)
    await screen.findByRole('button', { name: 'Copied' })
    expect(writeText).toHaveBeenCalledWith(link.value)
    expect(screen.getByText(/characters/).textContent).toMatch(/^Copied\. [\d,]+ characters/)
  })

  it('selects the link for manual copying if the browser refuses clipboard access', async () => {
    writeText.mockRejectedValue(new Error('denied'))
    renderOpened(<ShareDialog />, { report: fused() })
    fireEvent.click(await screen.findByRole('button', { name: 'Copy' }))
    expect(await screen.findByRole('button', { name: 'Copy' })).toBeTruthy()
    expect(screen.getByText(/characters/).textContent).not.toMatch(/Copied/)
  })

  it('closes', async () => {
    renderOpened(<ShareDialog />, { view: { overlay: 'share' } })
    await screen.findByTestId('share-link')
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(useView.getState().overlay).toBeNull()
  })
})
