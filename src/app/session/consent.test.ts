// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { codeHash, FOREIGN, needsConsent, type ForeignCode } from '../../workspace/code_origin'
import { askedCode, consentOf, consentPart, giveConsent, putSent, requireCode } from './consent'
import { framedByOther, openedByOther } from './framed'
import { watchQuestion } from './question/steady'
import * as runner from './runner'
import { useRun } from './run_store'
import { replaceSession, startSessions } from './session'
import { EMPTY_WORKSPACE, useWorkspace } from './workspace_store'

const sent = {
  ...EMPTY_WORKSPACE,
  files: [
    { name: 'a.py', text: 'evil()' },
    { name: 'b.py', text: 'also()' },
  ],
}
const consent = () => useRun.getState().consent
const type = (name: string, text: string): void => useWorkspace.getState().setText(name, text)

function open(workspace = sent, foreign: ForeignCode | null = FOREIGN): void {
  replaceSession(() => {
    useWorkspace.getState().load(workspace, 'link:x', { foreign })
    useRun.setState({ consent: consentOf(workspace, foreign) })
  })
}

/** The question stays on screen. */
const read = (): void => void vi.advanceTimersByTime(1100)

beforeEach(() => {
  vi.spyOn(runner, 'run').mockResolvedValue()
  vi.useFakeTimers()
  startSessions([consentPart])
})
afterEach(() => {
  startSessions([])
  vi.useRealTimers()
  vi.clearAllMocks()
})

describe('consent to code of a link', () => {
  it('is not given by typing, and covers what is typed after it', () => {
    open()
    type('a.py', 'evil() #')
    expect(consent()).toBe('pending')
    expect(() => requireCode('The steps appear here')).toThrow(/after the code of this link has run/)
    read()
    giveConsent()
    type('a.py', 'evil() # mine')
    const { workspace, foreign } = useWorkspace.getState()
    expect([consent(), foreign]).toEqual(['given', { allowed: codeHash(workspace) }])
  })

  it('is asked for what the sender puts in later, such as the solution of a lesson without code', () => {
    const empty = { ...sent, files: [{ name: 'a.py', text: ' ' }] }
    open(empty)
    expect(consent()).toBe('given')
    putSent(sent)
    expect([consent(), useWorkspace.getState().workspace.files]).toEqual(['pending', sent.files])
    read()
    giveConsent()
    expect(consent()).toBe('given')
    putSent(empty)
    putSent(sent)
    expect(consent()).toBe('pending')
    open(empty)
    useRun.setState({ consent: 'unclean' })
    putSent(sent)
    expect(consent()).toBe('pending')
    open(sent, null)
    putSent(empty)
    expect(consent()).toBe('own')
  })

  it('does not cover a text from before it that undo brings back, whatever the other files hold', () => {
    open()
    type('a.py', 'good()')
    type('b.py', 'fine()')
    read()
    giveConsent()
    type('a.py', 'evil()')
    expect(consent()).toBe('pending')
    type('a.py', 'good()')
    expect(consent()).toBe('given')
  })

  it('is remembered for exactly the code it was given for', () => {
    open(sent, { allowed: codeHash(sent) })
    expect(consent()).toBe('given')
    open({ ...sent, files: [{ name: 'a.py', text: 'more()' }] }, { allowed: codeHash(sent) })
    expect(consent()).toBe('pending')
  })

  it('is asked for the files of a capture in a link, which would run after its report', () => {
    const capture = { name: 'c.fusescope', text: '', run: 0, key: '' }
    const recorded = { ...sent, capture }
    expect(needsConsent(recorded, FOREIGN)).toBe(true)
    open(recorded)
    expect(consent()).toBe('pending')
    expect(runner.run).not.toHaveBeenCalled()
  })

  it('is not asked for the user’s own code, nor for a link without code', () => {
    open(sent, null)
    type('a.py', 'mine()')
    expect([consent(), useWorkspace.getState().foreign]).toEqual(['own', null])
    open({ ...sent, files: [{ name: 'a.py', text: '' }] })
    type('a.py', 'mine()')
    expect(consent()).toBe('given')
  })
})

describe('a press of Run', () => {
  it('counts for the code beside it only', () => {
    open()
    read()
    const shown = askedCode()
    type('a.py', 'other()')
    giveConsent(shown)
    expect(consent()).toBe('pending')
    expect(runner.run).not.toHaveBeenCalled()
    giveConsent(askedCode())
    expect(consent()).toBe('given')
  })

  it('is void within a second after another link, an address or a message', () => {
    const stop = watchQuestion()
    open()
    read()
    open({ ...sent, files: [{ name: 'a.py', text: 'swapped()' }] })
    giveConsent()
    expect(consent()).toBe('pending')
    read()
    dispatchEvent(new MessageEvent('message', { source: null }))
    giveConsent()
    expect(consent()).toBe('pending')
    expect(runner.run).not.toHaveBeenCalled()
    read()
    giveConsent()
    expect(consent()).toBe('given')
    stop()
  })

  it('is void in a window that another site opened and can change', () => {
    open()
    read()
    const opener = { location: { origin: 'https://other.test' } }
    vi.stubGlobal('opener', opener)
    giveConsent()
    vi.unstubAllGlobals()
    expect(consent()).toBe('pending')
  })
})

describe('an opener', () => {
  const window = (opener: unknown) => ({ opener, location: { origin: 'https://fusescope.test' } }) as unknown as Window
  it('of another origin holds the window', () => {
    expect(openedByOther(window(null))).toBe(false)
    expect(openedByOther(window({ location: { origin: 'https://fusescope.test' } }))).toBe(false)
    const closed = Object.defineProperty({}, 'location', {
      get() {
        throw new Error('cross-origin')
      },
    })
    expect(openedByOther(window(closed))).toBe(true)
  })
})

describe('a frame', () => {
  const at = (origin: string, parent?: object) => {
    const w = { location: { origin } } as { location: object; parent: object }
    w.parent = parent ?? w
    return w as unknown as Window
  }
  it('of another site holds code back, one of the same site does not', () => {
    const own = 'https://fusescope.test'
    expect(framedByOther(at(own))).toBe(false)
    expect(framedByOther(at(own, at(own)))).toBe(false)
    expect(framedByOther(at(own, at(own, at('https://other.test'))))).toBe(true)
    const closed = Object.defineProperty({}, 'location', {
      get() {
        throw new Error('cross-origin')
      },
    })
    expect(framedByOther(at(own, closed))).toBe(true)
  })
})
