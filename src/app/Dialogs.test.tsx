// @vitest-environment happy-dom
/** A dialog opens also if its code arrives after the key. */
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Dialogs } from './Dialogs'
import type { DIALOGS } from './fetched_dialogs'
import { useView } from './session/view_store'

const dialogs = { glossary: () => <p>the glossary</p> } as unknown as typeof DIALOGS

afterEach(() => {
  act(() => useView.setState({ overlay: null, toasts: [] }))
  cleanup()
})

test('a dialog whose code cannot be fetched closes with a message', async () => {
  render(<Dialogs fetch={() => Promise.reject(new Error('no network'))} />)
  act(() => useView.getState().setOverlay('versions'))
  await vi.waitFor(() => expect(useView.getState().toasts).toHaveLength(1), 60_000)
  expect(useView.getState().overlay).toBeNull()
  expect(useView.getState().toasts[0]!.text).toMatch(/could not be loaded/)
})

test('fetches the code of a dialog when it opens; a second opening shows it at once', async () => {
  const fetch = vi.fn(() => Promise.resolve(dialogs))
  render(<Dialogs fetch={fetch} />)
  act(() => useView.getState().setOverlay('glossary'))
  expect(await screen.findByText('the glossary')).toBeTruthy()
  act(() => useView.getState().setOverlay(null))
  expect(screen.queryByText('the glossary')).toBeNull()
  act(() => useView.getState().setOverlay('glossary'))
  expect(screen.getByText('the glossary')).toBeTruthy()
  expect(fetch).toHaveBeenCalledTimes(1)
})
