/** The address at which the whole of Fusescope shows what the embedded page shows. */
import { create } from 'zustand'

/** `#v2.…` or `?example=ID`; empty: nothing is open, or a lesson is. */
export const useOpened = create<{ suffix: string }>(() => ({ suffix: '' }))

export const fullAddress = (suffix: string): string => new URL(`./${suffix}`, location.href).href

export const exampleSuffix = (id: string): string => `?${new URLSearchParams({ example: id })}`

/** @param step from 0 */
export const lessonSuffix = (id: string, step: number): string =>
  `?${new URLSearchParams({ lesson: id, step: String(step + 1) })}`
