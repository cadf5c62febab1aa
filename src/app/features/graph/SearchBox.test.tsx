// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { useView } from '../../session/view_store'
import { useLook } from '../look/store'
import { fused } from '../../testing/report_fixture'
import { closeAfterTest, renderOpened } from '../../testing/render'
import { SearchBox } from './SearchBox'

afterEach(closeAfterTest)

const field = (): HTMLInputElement => screen.getByTestId('search-input')
const options = (): string[] => screen.getAllByRole('option').map((o) => o.querySelector('span')!.textContent)

it('lists results over the graph while the user types, and few above it once one is chosen', () => {
  renderOpened(<SearchBox />, { report: fused(), view: { search: { open: true, query: '', at: -1 } } })
  fireEvent.change(field(), { target: { value: 'users>' } })
  expect(screen.getByRole('alert').textContent).toMatch(/^users> needs a value/)
  fireEvent.change(field(), { target: { value: 'inputs>=0' } })
  expect(options()).toEqual(['x', 'relu', 'neg', 'out'])
  expect(field().hasAttribute('aria-activedescendant')).toBe(false)
  fireEvent.keyDown(field(), { key: 'ArrowUp' })
  expect(options()).toEqual(['relu', 'neg', 'out'])
  expect(useView.getState().selection).toMatchObject({ name: 'out' })
  const chosen = screen.getByRole('option', { selected: true })
  expect(field().getAttribute('aria-activedescendant')).toBe(chosen.id)

  fireEvent.change(field(), { target: { value: 'op:aten*' } })
  fireEvent.click(screen.getByRole('button', { name: 'Isolate' }))
  expect(useLook.getState().look.only?.nodes).toEqual(['relu', 'neg'])

  // Going to a result outside the part draws the whole graph, which can be undone.
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(useLook.getState().look.only).toBeDefined()
  fireEvent.change(field(), { target: { value: 'op:output' } })
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(useLook.getState().look).toEqual({})
  useView.getState().toasts.at(-1)!.action!.run()
  expect(useLook.getState().look.only?.nodes).toEqual(['relu', 'neg'])
})

it('says which terms find nothing together', () => {
  renderOpened(<SearchBox />, { report: fused(), view: { search: { open: true, query: 'relu neg', at: -1 } } })
  expect(screen.getByTestId('search-none').textContent).toBe('No node has all: relu 1, neg 1')
})
