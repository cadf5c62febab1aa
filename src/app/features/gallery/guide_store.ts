/** What to look at: the page of docs/systems that stands beside the work. */
import { create } from 'zustand'

/** `page`: docs/systems/PAGE.md; null: none. */
export const useGuide = create<{ page: string | null }>(() => ({ page: null }))
