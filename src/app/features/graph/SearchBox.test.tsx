// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { done } from '../../session/section'
import { useView } from '../../session/view_store'
import { useLook } from '../../on_screen/look/store'
import { fused, graph } from '../../../engine/queries/testing/report_fixture'
import { closeAfterTest, renderOpened } from '../../testing/render'
import { usePipeline } from '../../on_screen/stage/store'
import { SearchBox } from './SearchBox'

afterEach(closeAfterTest)

const field = (): HTMLInputElement => screen.getByTestId('search-input')
const options = (): string[] => screen.getAllByRole('option').map((o) => o.querySelector('span')!.textContent)

it('lists results over the graph while the user types, and few above it once one is chosen', () => {
  renderOpened(<SearchBox />, { report: fused(), view: { search: { open: true, query: '', at: -1, side: null } } })
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

it('lists the results of either canvas side by side', () => {
  renderOpened(<SearchBox />, {
    report: fused(),
    view: { mode: 'split', search: { open: true, query: 'op:my.fused', at: -1, side: null } },
  })
  const choice = (): string[] => screen.getAllByRole('radio').map((r) => r.textContent)
  expect(choice()).toEqual(['Before 0', 'After 1'])
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(useView.getState().selection).toEqual({ kind: 'node', side: 'after', name: 'fused' })
  fireEvent.change(field(), { target: { value: 'op:placeholder' } })
  expect(options()).toEqual(['x'])
  fireEvent.click(screen.getByRole('radio', { name: 'After 1' }))
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(useView.getState().selection).toEqual({ kind: 'node', side: 'after', name: 'x' })
})

it('finds nodes of the graph after a stage', () => {
  renderOpened(<SearchBox />, {
    report: fused(),
    view: { search: { open: true, query: 'op:aten.relu', at: -1, side: null } },
  })
  const between = graph('x placeholder\n mid my.mid.default x\n out output mid')
  const stage = {
    at: 1,
    graph: between,
    before: null,
    added: ['mid'],
    removed: [],
    from: [0, 1, 0],
    until: [null, 2, null],
  }
  act(() => {
    useView.setState({ stage: 1 })
    usePipeline.setState({ shown: done(stage, 1) })
  })
  expect(screen.queryAllByRole('option')).toEqual([])
  fireEvent.change(field(), { target: { value: 'op:my.mid' } })
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(usePipeline.getState().picked).toMatchObject({ side: 'after', name: 'mid' })
})

it('says which terms find nothing together', () => {
  renderOpened(<SearchBox />, {
    report: fused(),
    view: { search: { open: true, query: 'relu neg', at: -1, side: null } },
  })
  expect(screen.getByTestId('search-none').textContent).toBe('No node has all: relu 1, neg 1')
})
