/** Workspaces and snapshots: links, files, drafts. */
export * from './types'
export { decodeSnapshot, encodeSnapshot, ENCODED_LIMIT, INFLATED_LIMIT } from './link'
export { readSnapshotFile, snapshotFileName, writeSnapshotFile } from './file'
export { browserStorage, createDraftStore, type DraftStore, type KeyValueStore } from './storage'
export { snapshotSchema, workspaceSchema } from './schema'
export { CURRENT_VERSION, upgrade } from './versions'
