// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { questionChanged, useSteady, watchQuestion } from './steady'

let stop = (): void => {}
const steady = (): boolean => useSteady.getState().steady
const settle = (): void => void vi.advanceTimersByTime(1100)

beforeEach(() => {
  vi.useFakeTimers()
  stop = watchQuestion()
  questionChanged()
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

it('a press counts a second after the question was painted', () => {
  vi.advanceTimersByTime(900)
  expect(steady()).toBe(false)
  settle()
  expect(steady()).toBe(true)
})

it('a page that paints nothing, as in a hidden tab, arms nothing', () => {
  vi.stubGlobal('requestAnimationFrame', () => 0)
  questionChanged()
  vi.advanceTimersByTime(60_000)
  vi.unstubAllGlobals()
  expect(steady()).toBe(false)
})

it.each([
  ['a change of the address', () => dispatchEvent(new Event('hashchange'))],
  ['an entry of the history', () => dispatchEvent(new Event('popstate'))],
  ['a message of another window', () => dispatchEvent(new MessageEvent('message', { source: null }))],
  ['the front', () => dispatchEvent(new Event('focus'))],
  ['a tab that becomes visible', () => document.dispatchEvent(new Event('visibilitychange'))],
])('%s begins the second again', (_what, happen) => {
  settle()
  happen()
  expect(steady()).toBe(false)
  settle()
  expect(steady()).toBe(true)
})

it('a message of the page to itself changes nothing', () => {
  settle()
  dispatchEvent(new MessageEvent('message', { source: window as never }))
  expect(steady()).toBe(true)
})

const press = (type: string, more: object = {}): boolean => {
  const event = Object.assign(new Event(type), more)
  return dispatchEvent(event)
}

it.each(['pointerdown', 'keydown'])(
  'presses during the second, as of who was asked to click fast, begin it again: %s',
  (type) => {
    for (let i = 0; i < 20; i++) {
      vi.advanceTimersByTime(200)
      press(type)
    }
    expect(steady()).toBe(false)
    settle()
    expect(steady()).toBe(true)
    press(type)
    expect(steady()).toBe(true)
  },
)

it('a key that is held, as another page asked, answers nothing however long', () => {
  settle()
  press('keydown', { repeat: true })
  expect(steady()).toBe(false)
})

it('a press that a busy page hears after the second was made during it', () => {
  const event = new Event('pointerdown')
  Object.defineProperty(event, 'timeStamp', { value: performance.now() })
  settle()
  dispatchEvent(event)
  expect(steady()).toBe(false)
})
