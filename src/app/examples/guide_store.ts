/** State of the guide: the open page of docs/systems. */
import { create } from 'zustand'

/** `page`: docs/systems/PAGE.md; null: none. */
export const useGuide = create<{ page: string | null }>(() => ({ page: null }))
