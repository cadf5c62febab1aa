// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest'

// Test files of one worker share a browser's storage and address.
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', location.pathname)
})

it('the first visit lasts over reloads, until its strip is closed', async () => {
  const load = async () => {
    vi.resetModules()
    return await import('./first_visit')
  }
  expect((await load()).useFirstVisit.getState().shown).toBe(true)
  const again = await load()
  expect(again.useFirstVisit.getState().shown).toBe(true)
  again.hideFirstVisit()
  expect((await load()).useFirstVisit.getState().shown).toBe(false)
})
