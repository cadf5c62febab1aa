/** The address at which the full Fusescope shows the same content as the embedded page. */
import { create } from 'zustand'

/** `#v2.…`, `?example=ID` or `#lesson=…`; empty if nothing is open, or if a lesson of the site is open. */
export const useOpened = create<{ suffix: string }>(() => ({ suffix: '' }))

export const fullAddress = (suffix: string): string => new URL(`./${suffix}`, location.href).href

export const exampleSuffix = (id: string): string => `?${new URLSearchParams({ example: id })}`

/** @param lesson its id, or the fragment that contains it @param step from 0 */
export function lessonSuffix(lesson: string, step: number): string {
  const at = String(step + 1)
  return lesson.startsWith('#') ? `?step=${at}${lesson}` : `?${new URLSearchParams({ lesson, step: at })}`
}
