/** Workspaces and snapshots: links, files, drafts. */
export * from './types'
export { graphsOf, shownAt, withGraphs, withGraphShown } from './graphs'
export { decodeSnapshot, encodeSnapshot, ENCODED_LIMIT, INFLATED_LIMIT } from './link'
export { encodingOf } from './encoding'
export { readSnapshotFile, snapshotFileName, writeSnapshotFile } from './file'
export { browserStorage, createDraftStore, type DraftStore, type KeyValueStore } from './storage'
export { firstIssue, MAX_FILES, MAX_GRAPHS, snapshotSchema, workspaceSchema } from './schema'
export { CURRENT_VERSION, upgrade } from './versions'
