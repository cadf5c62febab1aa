// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { TooltipProvider } from '../ui/Tooltip'
import { DocsApp } from './DocsApp'

afterEach(() => {
  cleanup()
  location.hash = ''
  vi.unstubAllGlobals()
})

it('shows the page of the address, and goes to what a search finds', async () => {
  location.hash = '#causes'
  Element.prototype.scrollIntoView = vi.fn()
  render(<DocsApp />, { wrapper: TooltipProvider })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Causes and fixes')
  expect(screen.getByRole('link', { name: 'Causes and fixes', current: 'page' })).toBeTruthy()
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'consent code link' } })
  const [first] = screen.getAllByRole('option')
  expect(first?.textContent).toContain('Links: Consent')
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' })
  expect(location.hash).toBe('#links:consent')
  await act(() => Promise.resolve(dispatchEvent(new Event('hashchange'))))
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Links')
})

it('marks the row of a table that an anchor names, by any code of its first cell', () => {
  location.hash = '#causes:kwarg-extra'
  Element.prototype.scrollIntoView = vi.fn()
  render(<DocsApp />, { wrapper: TooltipProvider })
  expect(document.querySelector('[data-target]')?.textContent).toContain('only the pattern, or only the graph')
})
