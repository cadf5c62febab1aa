import { afterEach, describe, expect, it, vi } from 'vitest'
import { fused } from '../../engine/queries/testing/report_fixture'
import { INITIAL_RUN, useRun } from './run_store'
import { currentSession, replaceSession, startSessions, type SessionPart } from './session'
import { createSessionStore } from './session_store'
import { EMPTY_WORKSPACE, useWorkspace } from './workspace_store'
import { resultOf } from '../testing/run_state'

const open = (origin: string): void => replaceSession(() => useWorkspace.getState().load(EMPTY_WORKSPACE, origin))

afterEach(() => startSessions([]))

describe('a session', () => {
  it('notifies its parts of edits, and ends them when another workspace opens', () => {
    const part = { onEdit: vi.fn(), dispose: vi.fn() } satisfies SessionPart
    const begin = vi.fn(() => part)
    startSessions([begin])
    const first = currentSession()
    useWorkspace.getState().setText('patterns.py', 'x = 1')
    expect(part.onEdit).toHaveBeenCalledTimes(1)
    open('own:next')
    expect([part.onEdit, part.dispose, begin].map((f) => f.mock.calls.length)).toEqual([1, 1, 2])
    expect([first.signal.aborted, currentSession().signal.aborted]).toEqual([true, false])
  })

  it('ends a request when a newer one of its topic begins, when it is cancelled and with the session', () => {
    const session = currentSession()
    const [first, second, other] = [session.only('steps'), session.only('steps'), session.only('pin')]
    expect([first.aborted, second.aborted, other.aborted]).toEqual([true, false, false])
    session.cancel('pin')
    expect(other.aborted).toBe(true)
    open('own:next')
    expect(second.aborted).toBe(true)
  })

  it('saves pending edits before the stores change', () => {
    let saved = ''
    startSessions([() => ({ dispose: () => (saved = useWorkspace.getState().origin) })])
    open('own:a')
    open('own:b')
    expect(saved).toBe('own:a')
  })

  it('starts with the initial state of each session store, except for kept options', () => {
    const useOptions = createSessionStore(
      () => ({ seed: 1, result: '' }),
      ({ seed }) => ({ seed }),
    )
    useOptions.setState({ seed: 7, result: 'equal' })
    useRun.setState({ ...resultOf(fused(), { version: 3 }), engine: { ...INITIAL_RUN.engine, readyMs: 900 } })
    open('own:next')
    expect(useOptions.getState()).toEqual({ seed: 7, result: '' })
    expect(useRun.getState()).toEqual({ ...INITIAL_RUN, engine: { ...INITIAL_RUN.engine, readyMs: 900 } })
  })
})
