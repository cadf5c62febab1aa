/**
 * A question must stay the same on screen for a second before a press answers it. Another site that opened this window can
 * change its address, send it a message or bring it to the front at the moment of a click that was meant for something
 * else; each of these begins the second again. So does a press during the second: who clicks fast, or holds a key, because another page
 * asked for it does not answer what took that page's place.
 */
import { create } from 'zustand'
import { perPage } from '../scope'
import { Timer } from '../timer'

/** A press counts after the question was on screen, unchanged, for this long, in ms. */
export const STEADY_MS = 1000

/** `steady`: the question on screen has not changed for a second. `since`: performance.now() when that began. */
export const useSteady = create<{ steady: boolean; since: number }>(() => ({ steady: false, since: 0 }))

const waiting = perPage(() => new Timer())

/** The question, or who can reach it, has changed. */
export function questionChanged(): void {
  waiting().stop()
  useSteady.setState({ steady: false })
  // From the frame in which the question is painted: a busy page paints late, and a hidden one does not.
  waiting().restart('frame', () =>
    waiting().restart(STEADY_MS, () => useSteady.setState({ steady: true, since: performance.now() })),
  )
}

/** A press that was made during the second, also one that a busy page hears later, and what a held key repeats are no answers. */
function onPress(e: Event): void {
  const { steady, since } = useSteady.getState()
  const repeats = 'repeat' in e && e.repeat === true
  if (repeats || !steady || e.timeStamp < since) questionChanged()
}

/** Begins the second again at each event by which another window can reach this one. @returns a function that stops it */
export function watchQuestion(): () => void {
  const ending = new AbortController()
  const { signal } = ending
  for (const event of ['hashchange', 'popstate', 'pageshow', 'focus'])
    addEventListener(event, questionChanged, { signal })
  for (const press of ['pointerdown', 'keydown']) addEventListener(press, onPress, { signal, capture: true })
  addEventListener('message', (e) => e.source !== window && questionChanged(), { signal })
  document.addEventListener('visibilitychange', questionChanged, { signal })
  return () => ending.abort()
}
