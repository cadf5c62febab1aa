// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { DialogGuard } from './Dialog'
import { Guard } from './Guard'
import { TooltipProvider } from './Tooltip'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const Broken = (): never => {
  throw new Error('no such thing')
}

it('a part that fails says so beside the rest, and its details can be copied', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  render(
    <>
      <Guard what="The panel">
        <Broken />
      </Guard>
      <p>the rest</p>
    </>,
  )
  expect(screen.getByText('the rest')).toBeTruthy()
  expect(screen.getByRole('alert').textContent).toContain('The panel failed: no such thing')
  fireEvent.click(screen.getByRole('button', { name: 'Copy the details' }))
  expect(written).toHaveBeenLastCalledWith(
    expect.stringMatching(/^The panel failed: no such thing\nError: no such thing\n/),
  )
})

it('a dialog that fails can be closed', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const closed = vi.fn()
  render(
    <TooltipProvider>
      <DialogGuard onClose={closed}>
        <Broken />
      </DialogGuard>
    </TooltipProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(closed).toHaveBeenCalled()
})
