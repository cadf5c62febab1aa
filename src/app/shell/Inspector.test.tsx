// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { PANELS } from '../features'
import { outcomeWith } from '../testing/run_state'
import { useRun } from '../session/run_store'
import { placeOf, useView } from '../session/view_store'
import { fused } from '../../engine/queries/testing/report_fixture'
import { closeAfterTest, renderOpened } from '../testing/render'
import { Inspector } from './Inspector'
import { PanelPlace } from './PanelToggle'
import { graphOf, resultOf } from '../testing/run_state'

afterEach(closeAfterTest)

const Everywhere = () => (
  <>
    <PanelPlace place="graph" />
    <Inspector />
  </>
)

const tab = (name: RegExp): HTMLElement => screen.getByRole('tab', { name })
const selectedTab = (): string => screen.getByRole('tab', { selected: true }).textContent

describe('Inspector', () => {
  it('has four tabs, and one more while the steps or the facts of a node are open', () => {
    renderOpened(<Inspector />)
    const labels = () => screen.getAllByRole('tab').map((t) => t.textContent)
    expect(labels()).toEqual(['Matches', 'Why not', 'Patterns', 'Run'])
    act(() => useView.getState().setPanel('steps'))
    expect([labels().length, selectedTab()]).toEqual([5, 'Steps'])
    act(() => useView.getState().setPanel('run'))
    expect([labels().length, selectedTab()]).toEqual([4, 'Run'])
  })

  it.each(PANELS.map((p) => p.id))('opens the panel %s of a link in its place, before and after a report', (panel) => {
    renderOpened(<Everywhere />, { view: { panel } })
    const place = placeOf(panel)
    const body = () => (place === 'tabs' ? screen.getByRole('tabpanel') : screen.getByTestId(`place-${place}`))
    expect(body().textContent).not.toBe('')
    act(() => useRun.setState({ ...resultOf(fused()), ...graphOf(fused().graph) }))
    expect(body().textContent).not.toBe('')
    expect(within(body()).queryByText(/could not be shown|went wrong/i)).toBeNull()
  })

  it('keeps the tab while the drawer opens and closes', () => {
    renderOpened(<Inspector />, { report: fused(), view: { panel: 'patterns' } })
    const console = screen.getByRole('button', { name: /^Console/ })
    act(() => console.click())
    expect([console.getAttribute('aria-expanded'), selectedTab()]).toEqual(['true', 'Patterns'])
    act(() => console.click())
    expect(screen.queryByTestId('place-drawer')).toBeNull()
    expect(useView.getState().panel).toBe('patterns')
  })

  it('shows the badges of the panels, and marks a Python error', () => {
    renderOpened(<Inspector />, { report: fused() })
    expect([/^Matches/, /^Why not/].map((name) => tab(name).textContent)).toEqual(['Matches1', 'Why not1'])
    const python = { type: 'SyntaxError', message: 'invalid syntax', frames: [], traceback: '' }
    act(() => useRun.setState(outcomeWith({ python })))
    expect(screen.getByRole('button', { name: /^Console/ }).textContent).toBe('Console!')
  })

  it('switches by pointer and by arrow keys, with wraparound', async () => {
    renderOpened(<Inspector />, { report: fused() })
    fireEvent.mouseDown(tab(/^Patterns/), { button: 0 })
    expect([selectedTab(), useView.getState().panel]).toEqual(['Patterns', 'patterns'])
    act(() => tab(/^Patterns/).focus())
    fireEvent.keyDown(tab(/^Patterns/), { key: 'ArrowRight' })
    await waitFor(() => expect(selectedTab()).toBe('Run'))
    act(() => tab(/^Run/).focus())
    fireEvent.keyDown(tab(/^Run/), { key: 'ArrowRight' })
    await waitFor(() => expect(selectedTab()).toBe('Matches1'))
  })

  it('shows the first panel for an unknown panel of a newer link', () => {
    renderOpened(<Inspector />, { view: { panel: 'unknown' as never } })
    expect(selectedTab()).toBe('Matches')
  })
})
