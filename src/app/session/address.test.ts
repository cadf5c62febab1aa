// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askedExample, startAddress, type Openers } from './address'
import { currentSession, OPENING, replaceSession } from './session'
import { useView } from './view_store'
import { EMPTY_WORKSPACE, useWorkspace } from './workspace_store'

const open = (origin: string): void =>
  replaceSession(() => useWorkspace.getState().load({ ...EMPTY_WORKSPACE, name: `name of ${origin}` }, origin))

const openers = {
  example: vi.fn(async (id: string) => open(id)),
  link: vi.fn(async (fragment: string) => open(`link:${fragment}`)),
  stored: vi.fn(async (origin: string) => (open(origin), true)),
  isNamed: (origin: string) => origin === 'link:from-x' && location.search.includes('from='),
  named: vi.fn(async () => {}),
  isExample: (origin: string) => /^example-/.test(origin),
} satisfies Openers

/** The entries, as a browser keeps them: happy-dom has no history to travel. */
let entries: { state: unknown; url: string }[] = []
let at = 0
let stop = (): void => undefined

beforeEach(() => {
  vi.useFakeTimers()
  entries = [{ state: null, url: location.pathname }]
  at = 0
  vi.spyOn(history, 'pushState').mockImplementation((state, _, url) => {
    entries = [...entries.slice(0, at + 1), { state, url: String(url ?? entries[at]!.url) }]
    at++
  })
  vi.spyOn(history, 'replaceState').mockImplementation((state) => void (entries[at] = { ...entries[at]!, state }))
  vi.spyOn(history, 'state', 'get').mockImplementation(() => entries[at]!.state)
  open('example-a')
  stop = startAddress(openers)
})
afterEach(() => {
  stop()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const travel = async (to: number): Promise<void> => {
  at = to
  dispatchEvent(new Event('popstate'))
  await vi.advanceTimersByTimeAsync(0)
}
const origin = (): string => useWorkspace.getState().origin

describe('the address', () => {
  it('names an example, and the tab the workspace', () => {
    open('example-b')
    expect(entries[at]!.url).toMatch(/\?example=example-b$/)
    expect(document.title).toBe('name of example-b – Fusescope')
    open('own:1')
    expect(entries[at]!.url).not.toContain('example')
    expect(askedExample()).toBeNull()
  })

  it('goes back and forward between workspaces without new entries', async () => {
    open('example-b')
    open('own:1')
    expect(entries).toHaveLength(3)
    await travel(1)
    expect(origin()).toBe('example-b')
    await travel(0)
    expect(origin()).toBe('example-a')
    await travel(2)
    expect([origin(), entries.length]).toEqual(['own:1', 3])
    expect(openers.stored).toHaveBeenCalledWith('own:1')
  })

  it('goes back to the selection before, once a selection has settled', async () => {
    const select = (name: string, ms: number): void => {
      useView.getState().select({ kind: 'node', side: 'before', name })
      vi.advanceTimersByTime(ms)
    }
    select('mm', 1000)
    select('passing', 100)
    select('relu', 1000)
    expect(entries).toHaveLength(2)
    await travel(0)
    expect(useView.getState().selection).toMatchObject({ name: 'mm' })
    await travel(1)
    expect(useView.getState().selection).toMatchObject({ name: 'relu' })
    vi.advanceTimersByTime(1000)
    expect(entries).toHaveLength(2)
  })

  it('shows the entry of the last step, although the one before it still loads', async () => {
    open('example-b')
    let loaded = (): void => undefined
    openers.example.mockImplementationOnce(async (id) => {
      const signal = currentSession().only(OPENING)
      await new Promise<void>((resolve) => (loaded = resolve))
      if (!signal.aborted) open(id)
    })
    await travel(0)
    await travel(1)
    loaded()
    await vi.advanceTimersByTimeAsync(0)
    expect([origin(), at, entries.length]).toEqual(['example-b', 1, 2])
  })

  it('says that a workspace is gone', async () => {
    open('own:1')
    open('example-b')
    openers.stored.mockResolvedValueOnce(false)
    await travel(1)
    expect(useView.getState().toasts.at(-1)!.text).toBe('That workspace is not stored any more.')
  })
})
