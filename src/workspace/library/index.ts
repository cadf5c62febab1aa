/** The workspaces that this browser keeps. */
export * from './types'
export { DELETED_KEPT_MS, Library, type Kept, type Save } from './library'
export { readJournals, writeJournal, type Journal } from './journal'
export { migrateDrafts } from './migrate'
export { stampOf } from './stamp'
