// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { PANELS } from '../features'
import { useRun } from '../session/run_store'
import { useView } from '../session/view_store'
import { fused } from '../testing/report_fixture'
import { closeAfterTest, renderOpened } from '../testing/render'
import { Inspector } from './Inspector'

afterEach(closeAfterTest)

const tab = (name: RegExp): HTMLElement => screen.getByRole('tab', { name })
const selectedTab = (): string => screen.getByRole('tab', { selected: true }).textContent

describe('Inspector', () => {
  it('has a tab for each registered panel, in their order', () => {
    renderOpened(<Inspector />)
    expect(screen.getAllByRole('tab').map((t) => t.textContent)).toEqual(PANELS.map((p) => p.label))
  })

  it.each(PANELS.map((p) => p.id))('renders the panel %s before and after a report', (panel) => {
    renderOpened(<Inspector />, { view: { panel } })
    const body = within(screen.getByRole('tabpanel'))
    expect(screen.getByRole('tabpanel').textContent).not.toBe('')
    act(() => useRun.setState({ report: fused(), graph: fused().graph }))
    expect(screen.getByRole('tabpanel').textContent).not.toBe('')
    expect(body.queryByText(/could not be shown|went wrong/i)).toBeNull()
  })

  it('shows the badges of the panels, and marks a Python error', () => {
    renderOpened(<Inspector />, { report: fused() })
    expect([/^Matches/, /^Why not/, /^Console/].map((name) => tab(name).textContent)).toEqual([
      'Matches1',
      'Why not1',
      'Console',
    ])
    const python = { type: 'SyntaxError', message: 'invalid syntax', frames: [], traceback: '' }
    act(() => useRun.setState({ python }))
    expect(tab(/^Console/).textContent).toBe('Console!')
  })

  it('switches by pointer and by arrow keys, with wraparound', async () => {
    renderOpened(<Inspector />, { report: fused() })
    fireEvent.mouseDown(tab(/^Patterns/), { button: 0 })
    expect([selectedTab(), useView.getState().panel]).toEqual(['Patterns', 'patterns'])
    act(() => tab(/^Patterns/).focus())
    fireEvent.keyDown(tab(/^Patterns/), { key: 'ArrowRight' })
    await waitFor(() => expect(selectedTab()).toBe('Pipeline'))
    act(() => tab(/^Console/).focus())
    fireEvent.keyDown(tab(/^Console/), { key: 'ArrowRight' })
    await waitFor(() => expect(selectedTab()).toBe('Matches1'))
  })

  it('shows the first panel for an unknown panel of a newer link', () => {
    renderOpened(<Inspector />, { view: { panel: 'unknown' as never } })
    expect(selectedTab()).toBe('Matches')
  })
})
