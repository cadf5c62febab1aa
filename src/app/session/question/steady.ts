/**
 * A question must stay unchanged on screen for a second before a press answers it. Another site that opened this window can change
 * its address, send it a message or bring it to the front at the moment of a click that was meant for something else; each of these
 * events restarts the second. So does a press during the second: a user who clicks fast or holds a key at the request of another
 * page does not answer the question that replaced that page.
 */
import { create } from 'zustand'
import { perPage } from '../scope'
import { Timer } from '../timer'

/** Time for which the question must be unchanged on screen before a press counts, in ms. */
export const STEADY_MS = 1000

/** `steady`: the question on screen has not changed for a second. `since`: performance.now() at the start of that second. */
export const useSteady = create<{ steady: boolean; since: number }>(() => ({ steady: false, since: 0 }))

const waiting = perPage(() => new Timer())

/** The question, or the set of sites that can reach it, has changed. */
export function questionChanged(): void {
  waiting().stop()
  useSteady.setState({ steady: false })
  // Counts from the frame in which the question is painted: a busy page paints late, and a hidden page not at all.
  waiting().restart('frame', () =>
    waiting().restart(STEADY_MS, () => useSteady.setState({ steady: true, since: performance.now() })),
  )
}

/** Presses during the second are not answers, even if a busy page handles them later; nor are repeats of a held key. */
function onPress(e: Event): void {
  const { steady, since } = useSteady.getState()
  const repeats = 'repeat' in e && e.repeat === true
  if (repeats || !steady || e.timeStamp < since) questionChanged()
}

/** Restarts the second at each event through which another window can reach this one. @returns a function that stops it */
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
